#include "apiserver/auth/authn/bootstrap_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/base64.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));
constexpr std::string_view kToken = "abcdef.0123456789abcdef";

json::value Secret(const json::object& changes) {
  json::object data;
  json::object texts{{"token-id", "abcdef"},
                     {"token-secret", "0123456789abcdef"},
                     {"usage-bootstrap-authentication", "true"},
                     {"expiration", "2026-01-01T00:00:01Z"}};
  for (const auto& [key, value] : changes) texts[key] = value;
  for (const auto& [key, value] : texts) {
    if (value.is_string()) data[key] = EncodeBase64(value.get_string());
  }
  return {{"metadata", {{"name", "bootstrap-token-abcdef"}}},
          {"type", "bootstrap.kubernetes.io/token"},
          {"data", data}};
}

std::optional<User> Show(const json::value& secret, WallTime now = kNow) {
  return BootstrapUser(*ParseBootstrapToken(kToken), secret, now);
}

TEST(BootstrapTokenTest, HasTwoPartsOfFixedLength) {
  const auto token = ParseBootstrapToken(kToken);
  ASSERT_TRUE(token);
  EXPECT_EQ(token->id, "abcdef");
  EXPECT_EQ(token->secret, "0123456789abcdef");
  EXPECT_EQ(BootstrapSecretName(token->id), "bootstrap-token-abcdef");
  for (const char* text :
       {"", "abcdef", "abcde.0123456789abcdef", "abcdef.0123456789abcde", "Abcdef.0123456789abcdef",
        "abcdef.0123456789abcde-", "abcdef-0123456789abcdef", "abcdef.0123456789abcdef\n"}) {
    EXPECT_FALSE(ParseBootstrapToken(text)) << text;
  }
}

TEST(BootstrapTokenTest, IsABootstrapper) {
  const auto user = Show(Secret({}));
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "system:bootstrap:abcdef");
  EXPECT_THAT(user->groups, ElementsAre("system:bootstrappers"));
  const auto more =
      Show(Secret({{"auth-extra-groups",
                    "system:bootstrappers:b:c-1,system:bootstrappers:a,system:bootstrappers:a"}}));
  ASSERT_TRUE(more);
  EXPECT_THAT(more->groups, ElementsAre("system:bootstrappers", "system:bootstrappers:a",
                                        "system:bootstrappers:b:c-1"));
  EXPECT_TRUE(Show(Secret({{"expiration", nullptr}})));
}

TEST(BootstrapTokenTest, IsNobodyOtherwise) {
  const json::object cases[] = {
      {{"token-id", "abcdeg"}},
      {{"token-secret", "0123456789abcdee"}},
      {{"token-secret", nullptr}},
      {{"usage-bootstrap-authentication", "false"}},
      {{"usage-bootstrap-authentication", nullptr}},
      {{"expiration", "2026-01-01T00:00:00Z"}},
      {{"expiration", "tomorrow"}},
      {{"auth-extra-groups", "system:masters"}},
      {{"auth-extra-groups", "system:bootstrappers:"}},
      {{"auth-extra-groups", "system:bootstrappers:a-"}},
      {{"auth-extra-groups", "system:bootstrappers:a,"}},
  };
  for (const json::object& changes : cases) {
    EXPECT_FALSE(Show(Secret(changes))) << json::serialize(changes);
  }
  json::value other = Secret({});
  other.at("type") = "Opaque";
  EXPECT_FALSE(Show(other));
  json::value leaving = Secret({});
  leaving.at("metadata").get_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_FALSE(Show(leaving));
}

}  // namespace
}  // namespace millwright::apiserver
