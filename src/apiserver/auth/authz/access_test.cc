#include "apiserver/auth/authz/access.h"

#include <gtest/gtest.h>

#include "apiserver/rest/failures.h"

namespace millwright::apiserver {
namespace {

struct Case {
  Access about;
  std::string message;
};

TEST(ForbiddenToTest, SaysItInTheWordsOfKubernetes) {
  const Case cases[] = {
      {{.verb = "list", .version = "v1", .resource = "pods", .namespace_ = "default"},
       R"(pods is forbidden: User "x" cannot list resource "pods" in API group "" in the namespace "default")"},
      {{.verb = "get", .group = "apps", .resource = "deployments", .namespace_ = "a", .name = "b"},
       R"(deployments.apps "b" is forbidden: User "x" cannot get resource "deployments" in API group "apps" in the namespace "a")"},
      {{.verb = "update", .resource = "nodes", .subresource = "status", .name = "n"},
       R"(nodes "n" is forbidden: User "x" cannot update resource "nodes/status" in API group "" at the cluster scope)"},
      {{.verb = "get", .path = "/metrics"}, R"(forbidden: User "x" cannot get path "/metrics")"},
      {{.verb = "get", .path = "/<b>&"},
       R"(forbidden: User "x" cannot get path "/&lt;b&gt;&amp;")"},
  };
  for (const auto& [about, message] : cases) {
    const auto status = StatusOf(ForbiddenTo({.name = "x"}, about).error());
    EXPECT_EQ(status.message, message);
    EXPECT_EQ(status.code, 403);
    EXPECT_EQ(status.reason, "Forbidden");
    EXPECT_EQ(status.details.kind, about.resource);
    EXPECT_EQ(status.details.name, about.name);
    EXPECT_EQ(status.details.group, about.group);
  }
}

TEST(ForbiddenToTest, AddsTheReason) {
  const auto status =
      StatusOf(ForbiddenTo({.name = "x"}, {.verb = "get", .path = "/"}, "no").error());
  EXPECT_EQ(status.message, R"(forbidden: User "x" cannot get path "/": no)");
}

TEST(AccessTest, NamesAPathByItsMethod) {
  EXPECT_EQ(AccessToPath("POST", "/x"), (Access{.verb = "post", .path = "/x"}));
  EXPECT_EQ(AccessToPath("GET", "").path, "/");
}

}  // namespace
}  // namespace millwright::apiserver
