// What is not in testdata/answers.jsonl because it is too large to be written down.
#include "apiserver/builtin/validate.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

#include "apiserver/builtin/defaults.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

TEST(ValidateBuiltin, HoldsConfigurationToAMebibyte) {
  const std::string large((1U << 20U) + 1, 'x');
  const json::value map{{"data", {{"a", large}}}};
  const auto errors = ValidateBuiltin({"", "v1", "ConfigMap"}, map, nullptr);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(ToString(errors[0]), "[]: Too long: may not be more than 1048576 bytes");

  const json::value fits{{"data", {{"a", large.substr(1)}}}};
  EXPECT_TRUE(ValidateBuiltin({"", "v1", "ConfigMap"}, fits, nullptr).empty());
}

TEST(ValidateBuiltin, ThePodsOfAJobStayAsTheyAre) {
  json::value job = json::parse(R"({"metadata":{"name":"j","uid":"u"},"spec":{"manualSelector":true,
      "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  const kube::GroupVersionKind kind{"batch", "v1", "Job"};
  ApplyBuiltinDefaults(kind, job);
  json::value changed = job;
  changed.at_pointer("/spec/template/spec/containers/0/image") = "other";
  const auto errors = ValidateBuiltin(kind, changed, &job);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].field, "spec.template");
  EXPECT_EQ(errors[0].detail, "field is immutable");
}

TEST(ValidateBuiltin, SaysNothingAboutKindsOfOthers) {
  EXPECT_TRUE(ValidateBuiltin({"x.io", "v1", "Pod"}, json::object(), nullptr).empty());
}

TEST(ValidateBuiltin, IsNotSurprisedByAnything) {
  const json::value odd[] = {json::value(), json::value(5), json::array{1, "a", nullptr},
                             json::value{{"spec", json::array{1}}},
                             json::value{{"spec", {{"template", 5}, {"containers", {1, 2}}}}}};
  for (const char* kind : {"Pod", "Node", "Secret", "Service", "Namespace"}) {
    for (const auto& value : odd) {
      static_cast<void>(ValidateBuiltin({"", "v1", kind}, value, nullptr));
      static_cast<void>(ValidateBuiltin({"", "v1", kind}, value, &odd[4]));
    }
  }
}

}  // namespace
}  // namespace millwright::apiserver
