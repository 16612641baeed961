#include "agent/user_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::agent {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<std::string> OneFile(const std::string& path) {
  if (path == "/ca") return std::string("from file");
  return Fail(ErrorKind::kNotFound, "No such file or directory");
}

TEST(UserDataTest, IsYaml) {
  const auto data = ParseUserData(R"(
server: https://h:6443/
caData: cGVt
token: abcdef.0123456789abcdef
nodeName: worker
labels: {pool: a}
taints:
- {key: k, effect: NoSchedule}
)",
                                  OneFile);
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->server, "https://h:6443");
  EXPECT_EQ(data->ca_pem, "pem");
  EXPECT_EQ(data->token.Reveal(), "abcdef.0123456789abcdef");
  EXPECT_EQ(data->node_name, "worker");
  EXPECT_EQ(data->labels, (std::map<std::string, std::string>{{"pool", "a"}}));
  EXPECT_THAT(data->taints, ElementsAre(Taint{.key = "k", .effect = "NoSchedule"}));
}

TEST(UserDataTest, IsJsonToo) {
  const auto data = ParseUserData(R"({"server":"https://h","token":"t","caFile":"/ca"})", OneFile);
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->ca_pem, "from file");
}

TEST(UserDataTest, NamesWhatIsWrongAndShowsNothing) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"", "object"},
      {"{token: hunter2}", "server"},
      {"{server: 'http://h', token: hunter2}", "https"},
      {"{server: 'https://h'}", "token"},
      {"{server: 'https://h', token: [hunter2]}", "token"},
      {"{server: 'https://h', token: hunter2, caData: '!'}", "caData"},
      {"{server: 'https://h', token: hunter2, caFile: /no}", "/no"},
      {"{server: 'https://h', token: hunter2, label: {a: b}}", "label"},
      {"{server: 'https://h', token: hunter2, labels: {a: 1}}", "label a"},
      {"{server: 'https://h', token: hunter2, taints: [{key: k}]}", "effect"},
      {"{server: 'https://h', token: hunter2, ", "user data"},
  };
  for (const auto& test : cases) {
    const auto data = ParseUserData(test.text, OneFile);
    ASSERT_FALSE(data) << test.text;
    EXPECT_THAT(data.error().message(), AllOf(HasSubstr(test.says), Not(HasSubstr("hunter2"))));
  }
}

}  // namespace
}  // namespace millwright::agent
