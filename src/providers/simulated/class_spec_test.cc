#include "providers/simulated/class_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::providers {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ClassSpec, EverythingMayBeLeftOut) {
  EXPECT_EQ(*ParseClassSpec("{}"), ClassSpec{});
  EXPECT_EQ(*ParseClassSpec(""), ClassSpec{});
}

TEST(ClassSpec, ReadsEveryField) {
  const auto spec = ParseClassSpec(R"({
    "zone": "west", "createSeconds": 2, "bootSeconds": 0.25, "pendingSeconds": 7,
    "capacity": {"cpu": 4, "memory": "8Gi"}, "labels": {"disk": "fast"},
    "fail": {"create": {"code": "ResourceExhausted", "effect": "halfway", "machine": "a",
                        "first": 2, "times": 3, "probability": 0.5,
                        "delaySeconds": 1, "answerDelaySeconds": 2},
             "join": {"code": "Internal"}}})");
  ASSERT_TRUE(spec) << spec.error().message();
  const ClassSpec expected{
      .zone = "west",
      .create = seconds(2),
      .boot = milliseconds(250),
      .pending = seconds(7),
      .capacity = {{"cpu", "4"}, {"memory", "8Gi"}},
      .labels = {{"disk", "fast"}},
      .faults = {{.kind = CallKind::kCreate,
                  .machine = "a",
                  .first = 2,
                  .times = 3,
                  .probability = 0.5,
                  .code = core::CloudCode::kResourceExhausted,
                  .point = FaultPoint::kHalfway,
                  .delay = seconds(1),
                  .answer_delay = seconds(2)},
                 {.kind = CallKind::kJoin, .code = core::CloudCode::kInternal}}};
  EXPECT_EQ(*spec, expected);
}

struct Case {
  const char* name;
  const char* text;
  const char* problem;
};

class BadSpec : public ::testing::TestWithParam<Case> {};

TEST_P(BadSpec, IsRefusedByName) {
  const auto spec = ParseClassSpec(GetParam().text);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(spec.error().message(), ::testing::HasSubstr(GetParam().problem));
}

constexpr Case kCases[] = {
    {"NotJson", "{", "not JSON"},
    {"NotAnObject", "[]", "not a JSON object"},
    {"UnknownField", R"({"size": 1})", "size: unknown field; there are: zone,"},
    {"NegativeTime", R"({"bootSeconds": -1})", "bootSeconds: must be a number from 0"},
    {"EndlessTime", R"({"bootSeconds": 1e300})", "bootSeconds: must be a number from 0"},
    {"TextForATime", R"({"createSeconds": "2s"})", "createSeconds: must be a number"},
    {"EmptyZone", R"({"zone": ""})", "zone: must be a text"},
    {"ZoneThatSplitsIds", R"({"zone": "a/b"})", "zone: must not contain '/'"},
    {"LabelThatIsANumber", R"({"labels": {"a": 1}})", "labels.a: must be a text"},
    {"CapacityThatIsAList", R"({"capacity": {"cpu": []}})", "capacity.cpu: must be a text or a"},
    {"CapacityThatIsNoObject", R"({"capacity": 4})", "capacity: must be an object"},
    {"UnknownCall", R"({"fail": {"delete": {}}})", "fail.delete: unknown field; there are: create"},
    {"UnknownCode", R"({"fail": {"get": {"code": "Oops"}}})", "fail.get.code: must be a canonical"},
    {"CodeOfNoFailure", R"({"fail": {"get": {"code": "OK"}}})", "fail.get.code: must be a"},
    {"UnknownEffect", R"({"fail": {"get": {"effect": "late"}}})",
     "fail.get.effect: must be before"},
    {"HalfACall", R"({"fail": {"get": {"first": 1.5}}})", "fail.get.first: must be a whole number"},
    {"MoreThanCertain", R"({"fail": {"get": {"probability": 2}}})",
     "fail.get.probability: must be"},
    {"AllProblemsAtOnce", R"({"zone": 1, "size": 1})",
     "zone: must be a text that is not empty; si"},
};

INSTANTIATE_TEST_SUITE_P(Table, BadSpec, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millwright::providers
