#include "apiserver/auth/authn/bearer.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

TEST(BearerTest, ReadsTheTokenAsGoDoes) {
  const struct {
    std::string header;
    std::string token;  // empty: none
  } cases[] = {
      {"Bearer abc", "abc"}, {"bearer abc", "abc"},
      {"BEARER abc", "abc"}, {" Bearer abc ", "abc"},
      {"Bearer a b", "a"},   {"Bearer", ""},
      {"Bearer ", ""},       {"Bearer  abc", ""},
      {"Basic abc", ""},     {"", ""},
      {"Bearerabc", ""},     {"Bearer\tabc", ""},
  };
  for (const auto& [header, token] : cases) {
    const net::Headers headers{{"authorization", header}};
    EXPECT_EQ(BearerTokenOf(headers).value_or(""), token) << header;
  }
  EXPECT_FALSE(BearerTokenOf({}));
}

TEST(BearerTest, ComparesWholeSecrets) {
  EXPECT_TRUE(SecretsEqual("abc", "abc"));
  EXPECT_FALSE(SecretsEqual("abc", "abd"));
  EXPECT_FALSE(SecretsEqual("abc", "ab"));
  EXPECT_TRUE(SecretsEqual("", ""));
}

}  // namespace
}  // namespace millwright::apiserver
