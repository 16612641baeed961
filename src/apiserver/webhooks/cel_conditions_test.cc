#include "apiserver/webhooks/cel_conditions.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

json::array Conditions(std::initializer_list<const char*> expressions) {
  json::array conditions;
  for (const char* expression : expressions) {
    conditions.push_back({{"name", "c"}, {"expression", expression}});
  }
  return conditions;
}

TEST(CelConditions, DecideByObjectAndRequest) {
  const json::value object = json::parse(
      R"({"metadata":{"name":"a","labels":{"x":"1"}},"spec":{"replicas":3,"list":[1,"b"]}})");
  const json::value request = json::parse(
      R"({"operation":"UPDATE","userInfo":{"username":"eve","groups":["g"]},"dryRun":false,
          "resource":{"group":"","version":"v1","resource":"pods"}})");
  struct Case {
    json::array conditions;
    std::optional<bool> held;  // none: an error
  };
  const Case cases[] = {
      {Conditions({"true"}), true},
      {Conditions({"object.metadata.labels['x'] == '1' && object.spec.replicas > 2"}), true},
      {Conditions({"oldObject == null"}), true},
      {Conditions({"request.operation == 'UPDATE'", "request.userInfo.username != 'eve'"}), false},
      {Conditions({"'g' in request.userInfo.groups && !request.dryRun"}), true},
      {Conditions({"request.resource.resource == 'pods'"}), true},
      {Conditions({"has(object.spec.nothing)"}), false},
      {Conditions({"object.spec.nothing == 1"}), std::nullopt},
      {Conditions({"object.spec.nothing == 1", "false"}), false},
      {Conditions({"object.spec.list.exists(i, i == 'b')"}), true},
      {Conditions({"request.nonsense == 1"}), std::nullopt},
      {Conditions({"no such thing"}), std::nullopt},
  };
  const MatchConditions hold = CelConditions();
  for (const Case& one : cases) {
    const auto held = hold(one.conditions, {.object = &object, .old = nullptr, .request = request});
    EXPECT_EQ(held ? std::optional<bool>(*held) : std::nullopt, one.held)
        << one.conditions << (held ? "" : held.error().message());
  }
}

}  // namespace
}  // namespace millwright::apiserver
