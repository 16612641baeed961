// What kube-apiserver 1.36 made of many objects, one per line of testdata/answers.jsonl, which
// tools/kubernetes/builtin-answers explains and records.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/builtin/create.h"
#include "apiserver/builtin/defaults.h"
#include "apiserver/builtin/names.h"
#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/validate.h"
#include "kube/api/json_text.h"
#include "kube/api/merge_patch.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

kube::GroupVersionKind KindOf(const json::value& object) {
  return kube::ParseGroupVersionKind(kube::GetString(object, "apiVersion"),
                                     kube::GetString(object, "kind"))
      .value();
}

json::value Patched(const json::value& object, const json::value& patch) {
  return kube::ApplyMergePatch(object, patch).value();
}

// What the part of the server before us has done.
void AddMetadata(json::value& object) {
  json::object& metadata = object.as_object()["metadata"].as_object();
  metadata["uid"] = "UID";
  metadata["namespace"] = "default";
}

void TakeOutMetadata(json::value& object) {
  json::object& metadata = object.as_object()["metadata"].as_object();
  metadata.erase("uid");
  metadata.erase("namespace");
  metadata.erase("generation");
}

std::string Shown(const kube::FieldError& error) {
  std::string message = Message(error);
  // What a real server shows of a change is its own business.
  message = message.substr(0, message.find("\n@@"));
  return std::string(Reason(error.type)) + "|" + error.field + "|" + message;
}

json::value Faults(const json::value& object, const json::value* old) {
  const auto kind = KindOf(object);
  std::vector<std::string> texts;
  for (const auto& complaint : CheckBuiltinName(kind, kube::GetString(object, "metadata.name"))) {
    texts.push_back(
        Shown(kube::InvalidError("metadata.name", object.at("metadata").at("name"), complaint)));
  }
  for (const auto& error : ValidateBuiltin(kind, object, old)) texts.push_back(Shown(error));
  std::ranges::sort(texts);
  return json::array(texts.begin(), texts.end());
}

json::value Stored(json::value object) {
  const auto kind = KindOf(object);
  AddMetadata(object);
  const auto normalized = NormalizeBuiltin(kind, object);
  EXPECT_TRUE(normalized) << normalized.error().message();
  ApplyBuiltinDefaults(kind, object);
  PrepareBuiltinCreate(kind, object);
  return object;
}

json::object AnswerToCreate(const json::value& sent) {
  json::value object = Stored(sent);
  const json::value faults = Faults(object, nullptr);
  if (!faults.get_array().empty()) return {{"errors", faults}};
  TakeOutMetadata(object);
  return {{"object", object}};
}

json::object AnswerToChange(const json::value& sent, const json::value& patch, bool status) {
  const json::value old = Stored(sent);
  const auto kind = KindOf(old);
  json::value object = Patched(old, patch);
  if (status) {
    json::value kept = old;
    kept.as_object()["status"] = object.at("status");
    object = std::move(kept);
  }
  EXPECT_TRUE(NormalizeBuiltin(kind, object));
  ApplyBuiltinDefaults(kind, object);
  PrepareBuiltinUpdate(kind, status, old, object);
  const json::value faults = Faults(object, &old);
  return faults.get_array().empty() ? json::object() : json::object{{"errors", faults}};
}

// The recorded answer in the form of ours.
json::value Wanted(json::value answer) {
  json::object& object = answer.as_object();
  if (json::value* errors = object.if_contains("errors")) {
    for (json::value& error : errors->as_array()) {
      const std::string text(error.as_string());
      error = text.substr(0, text.find("\n@@"));
    }
  }
  if (json::value* stored = object.if_contains("object")) TakeOutMetadata(*stored);
  return answer;
}

TEST(BuiltinAnswers, AreThoseOfARealServer) {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/src/apiserver/builtin/testdata/answers.jsonl");
  ASSERT_TRUE(file);
  std::map<std::string, json::value> bases;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const json::value test = json::parse(line);
    const json::object& fields = test.as_object();
    if (const json::value* name = fields.if_contains("base")) {
      bases[json::value_to<std::string>(*name)] = test.at("object");
      continue;
    }
    SCOPED_TRACE("line " + std::to_string(number) + ": " +
                 line.substr(0, line.find(",\"answer\"")));
    const json::value& base = bases.at(json::value_to<std::string>(test.at("of")));
    const json::value* old = fields.if_contains("old");
    const json::object answer =
        old == nullptr
            ? AnswerToCreate(Patched(base, test.at("patch")))
            : AnswerToChange(Patched(base, *old), test.at("patch"), fields.contains("status"));
    EXPECT_EQ(kube::JsonText(answer), kube::JsonText(Wanted(test.at("answer"))));
  }
  EXPECT_GT(number, 300);
}

}  // namespace
}  // namespace millwright::apiserver
