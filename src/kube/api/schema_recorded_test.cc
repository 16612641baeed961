// Random schemas and objects with the answers of Kubernetes 1.36's own libraries, one per line of
// testdata/schema_recorded.jsonl: a case (op, schema, object, old) and its answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/schema_default.h"
#include "kube/api/schema_parse.h"
#include "kube/api/schema_prune.h"
#include "kube/api/schema_structural.h"
#include "kube/api/schema_validate.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

// The order of errors is not the same from one answer of the real server to the next.
json::object Faults(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) {
    texts.push_back(std::string(Reason(error.type)) + "|" + ToString(error));
  }
  std::ranges::sort(texts);
  return {{"errors", json::array(texts.begin(), texts.end())}};
}

json::object Answer(const json::object& test) {
  const std::string op = json::value_to<std::string>(test.at("op"));
  const auto schema = ParseSchema(test.at("schema"));
  if (!schema) return Faults(schema.error().detail<FieldErrors>()->errors());
  if (op == "check") return Faults(CheckStructural(*schema));
  json::value object = test.at("object");
  if (op == "validate") {
    const json::value* old = test.if_contains("old");
    return Faults(old == nullptr ? Validate(*schema, object)
                                 : ValidateUpdate(*schema, object, *old));
  }
  if (op == "prune") {
    const auto pruned = Prune(*schema, object);
    return {{"object", object}, {"paths", json::array(pruned->begin(), pruned->end())}};
  }
  EXPECT_TRUE(ApplyDefaults(*schema, object));
  return {{"object", object}};
}

TEST(SchemaRecorded, AnswersLikeKubernetes) {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/src/kube/api/testdata/schema_recorded.jsonl");
  ASSERT_TRUE(file);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE("line " + std::to_string(++number));
    const json::value record = json::parse(line);
    EXPECT_EQ(JsonText(Answer(record.at("case").as_object())), JsonText(record.at("answer")));
  }
  EXPECT_GT(number, 0);
}

}  // namespace
}  // namespace millwright::kube
