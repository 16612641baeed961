#include "cli/provider_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using testing::HasSubstr;

TEST(ProviderFlagsTest, ManyProvidersAndAFallback) {
  const auto flags = ReadProviderFlags(
      {"a=unix:///run/a.sock", "b=https://b:9443", "local", "c=https://c:9443", "b"},
      {"c=/certs/c", "/certs"});
  ASSERT_TRUE(flags) << flags.error().message();
  ASSERT_EQ(flags->remote.size(), 3U);
  EXPECT_EQ(flags->remote[0].address.unix_socket, "/run/a.sock");
  EXPECT_EQ(flags->remote[1].address.url, "https://b:9443");
  EXPECT_EQ(flags->remote[1].certificates, "/certs");
  EXPECT_EQ(flags->remote[2].certificates, "/certs/c");
  EXPECT_EQ(flags->fallback, "b");
}

TEST(ProviderFlagsTest, NoneIsFine) {
  const auto flags = ReadProviderFlags({}, {});
  ASSERT_TRUE(flags);
  EXPECT_TRUE(flags->remote.empty() && flags->fallback.empty());
}

TEST(ProviderFlagsTest, MistakesAreNamed) {
  const auto mistake = [](std::vector<std::string> providers, std::vector<std::string> certs = {}) {
    return ReadProviderFlags(providers, certs).error().message();
  };
  EXPECT_THAT(mistake({"azure"}), HasSubstr("no provider 'azure'; there is: local, simulated"));
  EXPECT_THAT(mistake({"a=unix:///1", "azure"}), HasSubstr("local, simulated, a"));
  EXPECT_THAT(mistake({"local=unix:///x"}), HasSubstr("a provider 'local' already"));
  EXPECT_THAT(mistake({"a=unix:///1", "a=unix:///2"}), HasSubstr("'a' already"));
  EXPECT_THAT(mistake({"a=/run/a.sock"}), HasSubstr("unix:///PATH or https://HOST:PORT"));
  EXPECT_THAT(mistake({"a=unix:///1"}, {"b=/certs"}), HasSubstr("no --provider b"));
}

}  // namespace
}  // namespace millwright::cli
