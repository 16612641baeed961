#include "net/proxy_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace millwright::net {
namespace {

TEST(ProxyEnvironment, ExemptsWhatTheListNames) {
  EXPECT_TRUE(IsExemptFromProxy("*", "host"));
  EXPECT_TRUE(IsExemptFromProxy("other, Host.example", "HOST.example"));
  EXPECT_TRUE(IsExemptFromProxy(".svc", "kubernetes.default.svc"));
  EXPECT_TRUE(IsExemptFromProxy("svc.", "kubernetes.default.svc"));
  EXPECT_FALSE(IsExemptFromProxy("efault.svc", "kubernetes.default.svc"));
  EXPECT_FALSE(IsExemptFromProxy("", "host"));
  EXPECT_FALSE(IsExemptFromProxy(",", "host"));
}

TEST(ProxyEnvironment, ExemptsAddressesAndNetworks) {
  EXPECT_TRUE(IsExemptFromProxy("10.0.0.1", "10.0.0.1"));
  EXPECT_TRUE(IsExemptFromProxy("localhost,10.96.0.0/12", "10.100.0.1"));
  EXPECT_FALSE(IsExemptFromProxy("10.96.0.0/12", "10.112.0.1"));
  EXPECT_TRUE(IsExemptFromProxy("fd00::/8", "fd12::1"));
  EXPECT_FALSE(IsExemptFromProxy("fd00::/8", "10.0.0.1"));
  EXPECT_FALSE(IsExemptFromProxy("10.0.0.0/99", "10.0.0.1"));
  EXPECT_FALSE(IsExemptFromProxy("0.0.1", "10.0.0.1"));
}

TEST(ProxyEnvironment, LooksAtTheVariablesThatLibcurlLooksAt) {
  std::map<std::string, std::string> variables;
  const Environment environment = [&](const char* name) { return variables[name]; };
  EXPECT_FALSE(EnvironmentHasProxyFor("host", environment));
  variables["http_proxy"] = "http://p";  // not for https
  EXPECT_FALSE(EnvironmentHasProxyFor("host", environment));
  variables["ALL_PROXY"] = "http://p";
  EXPECT_TRUE(EnvironmentHasProxyFor("host", environment));
  variables["NO_PROXY"] = "host";
  EXPECT_FALSE(EnvironmentHasProxyFor("host", environment));
}

}  // namespace
}  // namespace millwright::net
