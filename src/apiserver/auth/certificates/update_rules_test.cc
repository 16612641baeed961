#include "apiserver/auth/certificates/update_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));

json::object Condition(const char* type, const char* status = "True", const char* reason = "") {
  return {{"type", type}, {"status", status}, {"reason", reason}};
}

json::value With(json::array conditions, const char* certificate = "") {
  return {{"status", {{"conditions", std::move(conditions)}, {"certificate", certificate}}}};
}

std::string Check(std::string_view subresource, const json::value& old, const json::value& object) {
  std::string text;
  for (const auto& error : CheckRequestUpdate(subresource, old, object)) {
    text += (text.empty() ? "" : "; ") + kube::ToString(error);
  }
  return text;
}

TEST(RequestUpdateTest, KeepsEachEndpointToItsOwn) {
  const json::value nothing = With({});
  const json::value approved = With({Condition("Approved")});
  const struct {
    const char* subresource;
    json::value old;
    json::value object;
    std::string problem;
  } cases[] = {
      {"approval", nothing, approved, ""},
      {"status", nothing, approved,
       "status.conditions: Forbidden: updates may not add a condition of type \"Approved\""},
      {"", nothing, approved,
       "status.conditions: Forbidden: updates may not add a condition of type \"Approved\""},
      {"approval", approved, nothing,
       "status.conditions: Forbidden: updates may not remove a condition of type \"Approved\""},
      {"status", approved, With({Condition("Approved", "True", "x")}),
       "status.conditions: Forbidden: updates may not modify a condition of type \"Approved\""},
      {"status", approved, With({Condition("Approved"), Condition("Failed")}), ""},
      {"approval", approved, With({Condition("Approved"), Condition("Denied")}),
       "status.conditions: Invalid value: \"Denied\": Approved and Denied conditions are mutually "
       "exclusive"},
      {"approval", nothing, With({Condition("Approved", "False")}),
       "status.conditions[0].status: Unsupported value: \"False\": supported values: \"True\""},
      {"approval", nothing, With({Condition("Other", "Maybe")}),
       "status.conditions[0].status: Unsupported value: \"Maybe\": supported values: \"False\", "
       "\"True\", \"Unknown\""},
      {"approval", nothing, With({Condition("", "")}),
       "status.conditions[0].type: Required value; status.conditions[0].status: Required value"},
      {"approval", nothing, With({Condition("A"), Condition("A")}),
       "status.conditions[1].type: Duplicate value: \"A\""},
      {"status", nothing, With({}, "AAAA"),
       "status.certificate: Invalid value: \"<certificate data>\": must contain at least one "
       "CERTIFICATE PEM block"},
      {"status", With({}, "AAAA"), With({}, ""),
       "status.certificate: Forbidden: updates may not modify existing certificate content"},
  };
  for (const auto& [subresource, old, object, problem] : cases) {
    EXPECT_EQ(Check(subresource, old, object), problem);
  }
}

TEST(RequestUpdateTest, ApprovalWritesConditionsOnly) {
  json::value object = With({Condition("Approved")}, "BBBB");
  PrepareRequestUpdate("approval", With({}, "AAAA"), kNow, object);
  EXPECT_EQ(kube::GetString(object, "status.certificate"), "AAAA");
  const json::value& condition = object.at("status").at("conditions").at(0);
  EXPECT_EQ(kube::GetString(condition, "lastUpdateTime"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(kube::GetString(condition, "lastTransitionTime"), "2026-01-01T00:00:00Z");
}

TEST(RequestUpdateTest, TimesGoOnWhereNothingChanged) {
  json::object since = Condition("Approved");
  since["lastTransitionTime"] = "2025-01-01T00:00:00Z";
  json::value object = With({Condition("Approved", "True", "again")});
  PrepareRequestUpdate("approval", With({since}), kNow, object);
  EXPECT_EQ(kube::GetString(object.at("status").at("conditions").at(0), "lastTransitionTime"),
            "2025-01-01T00:00:00Z");
}

TEST(RequestUpdateTest, StatusLeavesDecisionsAsTheyWere) {
  const json::value old = With({Condition("Approved", "True", "mine")});
  json::value object = With({Condition("Failed"), Condition("Approved", "True", "yours")});
  PrepareRequestUpdate("status", old, kNow, object);
  EXPECT_EQ(kube::GetString(object.at("status").at("conditions").at(1), "reason"), "mine");
}

}  // namespace
}  // namespace millwright::apiserver
