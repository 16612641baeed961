#include "providers/grpc/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::providers::grpc {
namespace {

using testing::HasSubstr;

TEST(ProviderAddressTest, SocketsAndServers) {
  EXPECT_EQ(*ParseProviderAddress("demo=unix:///run/demo.sock"),
            (ProviderAddress{.name = "demo", .unix_socket = "/run/demo.sock"}));
  EXPECT_EQ(*ParseProviderAddress("AWS=https://aws.providers:9443"),
            (ProviderAddress{.name = "AWS", .url = "https://aws.providers:9443"}));
}

TEST(ProviderAddressTest, MistakesAreNamed) {
  const auto mistake = [](std::string_view text) {
    const auto parsed = ParseProviderAddress(text);
    return parsed ? "" : parsed.error().message();
  };
  EXPECT_THAT(mistake("demo"), HasSubstr("NAME=ADDRESS"));
  EXPECT_THAT(mistake("=unix:///x"), HasSubstr("NAME=ADDRESS"));
  EXPECT_THAT(mistake("demo=unix://run/x"), HasSubstr("begins with a slash"));
  EXPECT_THAT(mistake("demo=unix:///"), HasSubstr("begins with a slash"));
  EXPECT_THAT(mistake("demo=unix:///" + std::string(120, 'x')), HasSubstr("too long"));
  EXPECT_THAT(mistake("demo=http://host:1"), HasSubstr("unix:///PATH or https://HOST:PORT"));
  EXPECT_THAT(mistake("demo=https://host:1/path"), HasSubstr("only HOST:PORT"));
  EXPECT_THAT(mistake("demo=https://user@host:1"), HasSubstr("only HOST:PORT"));
}

}  // namespace
}  // namespace millwright::providers::grpc
