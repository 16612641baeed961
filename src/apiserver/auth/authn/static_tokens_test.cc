#include "apiserver/auth/authn/static_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(StaticTokens, ALineIsOneUser) {
  const auto tokens =
      ParseStaticTokens("abc,anna,u1\n\n def , ben ,u2, \"ops, system:masters\"\r\n");
  ASSERT_TRUE(tokens) << tokens.error().message();
  ASSERT_EQ(tokens->size(), 2u);
  EXPECT_EQ((*tokens)[0].token.Reveal(), "abc");
  EXPECT_EQ((*tokens)[0].user, (User{.name = "anna", .uid = "u1"}));
  EXPECT_EQ((*tokens)[1].token.Reveal(), "def");
  EXPECT_THAT((*tokens)[1].user.groups, ElementsAre("ops", "system:masters"));
}

TEST(StaticTokens, ALineThatIsWrongIsNamedAndNotTold) {
  const auto tokens = ParseStaticTokens("abc,anna,u1\nhunter2,ben\n");
  ASSERT_FALSE(tokens);
  EXPECT_THAT(tokens.error().message(), HasSubstr("line 2"));
  EXPECT_THAT(tokens.error().message(), testing::Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace millwright::apiserver
