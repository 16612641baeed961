// Random histories of an object with the answers of Kubernetes 1.36's own libraries, one per line
// of testdata/apply_recorded.jsonl:
//   case:   schema (null: none), status (it has a status endpoint), steps (apply or update)
//   answer: for each step the object, with "T" for every time stamp, or the error and its causes
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "kube/api/apply.h"
#include "kube/api/managed_fields.h"
#include "kube/api/schema_parse.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

std::string TextAt(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr ? "" : json::value_to<std::string>(*value);
}

bool FlagAt(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->as_bool();
}

json::object Failed(const Error& error) {
  json::object out({{"error", error.message()}});
  const auto* detail = error.detail<ApplyConflicts>();
  if (detail == nullptr) return out;
  json::array causes;
  for (const auto& conflict : detail->conflicts()) {
    causes.push_back({{"field", conflict.field},
                      {"message", conflict.Message()},
                      {"reason", "FieldManagerConflict"}});
  }
  std::ranges::sort(causes, {}, [](const json::value& cause) { return JsonText(cause); });
  out["causes"] = std::move(causes);
  return out;
}

// What a step that edits managedFields sends: a list, or the live one ("live") or its head
// ("first").
void EditManagedFields(const json::value& edit, const json::value* live, json::value& object) {
  json::object& metadata = object.at("metadata").as_object();
  if (edit.is_array()) {
    metadata["managedFields"] = edit;
    return;
  }
  const json::array* entries = live == nullptr ? nullptr : FindManagedFields(*live);
  if (entries == nullptr) return;
  json::array kept = *entries;
  if (edit.as_string() == "first") kept.resize(1);
  metadata["managedFields"] = std::move(kept);
}

json::value WithoutTimes(json::value object) {
  json::value* list = object.at("metadata").as_object().if_contains("managedFields");
  if (list == nullptr) return object;
  for (auto& entry : list->as_array()) {
    json::value* time = entry.as_object().if_contains("time");
    if (time != nullptr) *time = "T";
  }
  return object;
}

class Replay {
 public:
  explicit Replay(const json::object& test) : has_status_(FlagAt(test, "status")) {
    const json::value& document = test.at("schema");
    if (!document.is_null()) schema_ = *ParseSchema(document);
  }

  json::object Step(const json::object& step) {
    const std::string subresource = TextAt(step, "subresource");
    const FieldWriter writer{.manager = TextAt(step, "manager"),
                             .api_version = "example.com/v1",
                             .subresource = subresource,
                             .time = WallTime(std::chrono::seconds(1'700'000'000))};
    json::value object = step.at("object");
    if (const auto* edit = step.if_contains("managed")) EditManagedFields(*edit, live(), object);
    const OwnershipRules rules = Rules(subresource);
    if (TextAt(step, "do") == "apply") {
      auto applied =
          Apply(rules, live(), object, writer, FlagAt(step, "force") ? Force::kYes : Force::kNo);
      if (!applied) return Failed(applied.error());
      object = *std::move(applied);
    } else if (auto updated = UpdateManagedFields(rules, live(), object, writer); !updated) {
      return Failed(updated.error());
    }
    object.at("metadata").as_object().emplace("uid", "uid");  // as a server would at creation
    live_ = std::move(object);
    return {{"object", WithoutTimes(*live_)}};
  }

 private:
  const json::value* live() const { return live_ ? &*live_ : nullptr; }
  const Schema* schema() const { return schema_ ? &*schema_ : nullptr; }

  OwnershipRules Rules(const std::string& subresource) const {
    if (!has_status_) return {.schema = schema(), .reset_fields = {}};
    return subresource == "status" ? StatusRules(schema()) : MainRules(schema(), true);
  }

  std::optional<Schema> schema_;
  bool has_status_;
  std::optional<json::value> live_;
};

TEST(ApplyRecorded, AnswersLikeKubernetes) {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/src/kube/api/testdata/apply_recorded.jsonl");
  ASSERT_TRUE(file);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE("line " + std::to_string(++number));
    const json::value record = json::parse(line);
    const json::object& test = record.at("case").as_object();
    const json::array& answers = record.at("answer").at("steps").as_array();
    Replay replay(test);
    std::size_t i = 0;
    for (const auto& step : test.at("steps").as_array()) {
      EXPECT_EQ(JsonText(replay.Step(step.as_object())), JsonText(answers.at(i))) << "step " << i;
      ++i;
    }
  }
  EXPECT_GT(number, 0);
}

}  // namespace
}  // namespace millwright::kube
