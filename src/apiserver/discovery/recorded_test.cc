// Our built-in kinds in discovery against what was recorded from a kube-apiserver.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include <boost/json.hpp>

#include "apiserver/discovery/aggregated.h"
#include "apiserver/kinds/kinds.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

std::set<std::string> Recorded() {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/src/apiserver/discovery/recorded_resources.txt");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.insert(line);
  }
  return lines;
}

std::string Joined(const json::value& words) {
  std::string text;
  for (const json::value& word : words.as_array()) {
    text += (text.empty() ? "" : ",") + std::string(word.as_string());
  }
  constexpr const char* kAll = "create,delete,deletecollection,get,list,patch,update,watch";
  return text == kAll ? "all" : text;
}

std::string Text(const json::value& value) { return std::string(value.as_string()); }

std::string KindText(const json::value& kind) {
  std::string text;
  for (const char* part : {"group", "version", "kind"}) {
    const std::string word = Text(kind.at(part));
    text += (text.empty() || word.empty() ? "" : "/") + word;
  }
  return text;
}

void Describe(const std::string& version, const json::value& resource,
              std::vector<std::string>& lines) {
  const std::string plural = version + " " + Text(resource.at("resource"));
  std::string line = plural + " " + Text(resource.at("singularResource")) + " " +
                     KindText(resource.at("responseKind")) + " " + Text(resource.at("scope")) +
                     " " + Joined(resource.at("verbs"));
  const json::object& object = resource.as_object();
  if (const auto* names = object.if_contains("shortNames")) line += " short=" + Joined(*names);
  if (const auto* names = object.if_contains("categories")) line += " categories=" + Joined(*names);
  lines.push_back(line);
  const json::value* subresources = object.if_contains("subresources");
  if (subresources == nullptr) return;
  for (const json::value& sub : subresources->as_array()) {
    lines.push_back(plural + "/" + Text(sub.at("subresource")) + " " +
                    KindText(sub.at("responseKind")) + " " + Joined(sub.at("verbs")));
  }
}

TEST(RecordedTest, WhatWeServeIsDescribedAsAKubeApiserverDescribesIt) {
  Registry registry;
  AddBuiltinKinds(registry);
  std::vector<std::string> lines;
  for (const AggregatedPart part : {AggregatedPart::kCore, AggregatedPart::kGroups}) {
    const json::object document = AggregatedDocument(registry, part, "v2");
    for (const json::value& group : document.at("items").as_array()) {
      const json::value* name = group.at("metadata").as_object().if_contains("name");
      const std::string prefix = name == nullptr ? "" : Text(*name) + "/";
      for (const json::value& version : group.at("versions").as_array()) {
        for (const json::value& resource : version.at("resources").as_array()) {
          Describe(prefix + Text(version.at("version")), resource, lines);
        }
      }
    }
  }
  ASSERT_GT(lines.size(), 40u);
  const std::set<std::string> recorded = Recorded();
  for (const std::string& line : lines) EXPECT_TRUE(recorded.contains(line)) << line;
}

}  // namespace
}  // namespace millwright::apiserver
