#include "net/endpoint.h"

#include <gtest/gtest.h>

namespace millwright::net {
namespace {

TEST(Endpoint, IsTakenApart) {
  EXPECT_EQ(ParseEndpoint("https://host:6443/base/x/"), (Endpoint{.scheme = "https",
                                                                  .host = "host",
                                                                  .port = 6443,
                                                                  .authority = "host:6443",
                                                                  .path = "/base/x"}));
  EXPECT_EQ(ParseEndpoint("HTTP://10.0.0.1"),
            (Endpoint{.scheme = "http", .host = "10.0.0.1", .port = 80, .authority = "10.0.0.1"}));
  EXPECT_EQ(ParseEndpoint("https://[::1]:443/"),
            (Endpoint{.scheme = "https", .host = "::1", .port = 443, .authority = "[::1]"}));
  EXPECT_TRUE(ParseEndpoint("https://me:secret@host")->has_user);
}

TEST(Endpoint, TellsNamesFromAddresses) {
  EXPECT_TRUE(ParseEndpoint("https://10.0.0.1")->is_address());
  EXPECT_TRUE(ParseEndpoint("https://[fd00::1]:1")->is_address());
  EXPECT_FALSE(ParseEndpoint("https://kubernetes.default.svc")->is_address());
}

TEST(Endpoint, RefusesOthers) {
  for (const auto* url : {"", "host:1", "ftp://host", "https://ho st", "https://host:x"}) {
    const auto endpoint = ParseEndpoint(url);
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().kind(), ErrorKind::kInvalid);
  }
}

}  // namespace
}  // namespace millwright::net
