// Every rule in the definitions of the four systems, as far as their sources are at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_parse.h"
#include "kube/cel/rule_check.h"
#include "kube/cel/rule_judge.h"
#include "kube/yaml/yaml.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

json::value SampleText(const kube::Schema& schema) {
  const std::string& format = schema.checks.format;
  if (format == "date-time") return "2026-01-02T03:04:05Z";
  if (format == "date") return "2026-01-02";
  if (format == "duration") return "90s";
  return "a";
}

// An object with every field that a schema knows.
json::value Sample(const kube::Schema& schema) {
  if (!schema.checks.enum_values.empty()) return schema.checks.enum_values.front();
  switch (schema.type) {
    case kube::ValueType::kObject: {
      json::object object;
      for (const auto& [name, part] : schema.properties) object[name] = Sample(*part);
      if (schema.additional) object["key"] = Sample(*schema.additional);
      return object;
    }
    case kube::ValueType::kArray: {
      json::array list;
      if (schema.items) list.push_back(Sample(*schema.items));
      return list;
    }
    case kube::ValueType::kString: return SampleText(schema);
    case kube::ValueType::kBoolean: return true;
    case kube::ValueType::kAny:
    case kube::ValueType::kInteger:
    case kube::ValueType::kNumber: break;
  }
  return 1;
}

json::value SampleResource(const kube::Schema& schema) {
  json::value resource = Sample(schema);
  resource.get_object()["apiVersion"] = "example.org/v1";
  resource.get_object()["kind"] = "Sample";
  resource.get_object()["metadata"] = {{"name", "sample"}};
  return resource;
}

void ExpectRuns(const kube::cel::Judgement& judgement) {
  EXPECT_TRUE(judgement.skipped.empty());
  for (const auto& error : judgement.errors) {
    // A rule may well be broken by a made-up object; it may not fail to be evaluated.
    const std::string text = kube::ToString(error);
    EXPECT_FALSE(text.contains("evaluating rule") || text.contains("no such overload") ||
                 text.contains("compile error"))
        << text;
  }
}

int CheckVersion(const json::value& version) {
  const json::value* document = kube::Find(version, "schema.openAPIV3Schema");
  if (document == nullptr) return 0;
  const auto schema = kube::ParseSchema(*document);
  if (!schema) {
    ADD_FAILURE() << schema.error().message();
    return 0;
  }
  for (const auto& error : kube::cel::CheckRules(*schema, "schema")) {
    ADD_FAILURE() << kube::ToString(error);
  }
  const auto judge = kube::cel::RuleJudge::Make(*schema);
  if (!judge) return 0;
  const json::value resource = SampleResource(*schema);
  ExpectRuns(judge->Judge(resource, nullptr));
  ExpectRuns(judge->Judge(resource, &resource));
  return 1;
}

TEST(UpstreamRulesTest, EveryRuleOfTheFourSystemsCompilesAndRuns) {
  const fs::path root = fs::path(MILLWRIGHT_SOURCE_DIR) / "../shared/upstream";
  if (!fs::exists(root)) GTEST_SKIP() << "the sources of the four systems are not here";
  int judged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".yaml") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    if (!text.str().contains("x-kubernetes-validations")) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto documents = kube::ParseYamlDocuments(text.str(), entry.path().filename().string());
    ASSERT_TRUE(documents);
    for (const json::value& crd : *documents) {
      for (const json::value& version : VersionsOf(crd)) judged += CheckVersion(version);
    }
  }
  EXPECT_GE(judged, 5);
}

}  // namespace
}  // namespace millwright::apiserver
