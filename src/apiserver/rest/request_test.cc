#include <gtest/gtest.h>

#include "apiserver/rest/request.h"

namespace millwright::apiserver {
namespace {

struct PathCase {
  const char* target;
  Place want;
};

TEST(PlaceOfTest, ReadsPaths) {
  const PathCase kCases[] = {
      {"/api/v1/nodes", {"", "v1", "nodes", "", "", ""}},
      {"/api/v1/nodes/a/status", {"", "v1", "nodes", "", "a", "status"}},
      {"/api/v1/namespaces", {"", "v1", "namespaces", "", "", ""}},
      {"/api/v1/namespaces/x", {"", "v1", "namespaces", "x", "x", ""}},
      {"/api/v1/namespaces/x/finalize", {"", "v1", "namespaces", "x", "x", "finalize"}},
      {"/api/v1/namespaces/x/pods", {"", "v1", "pods", "x", "", ""}},
      {"/api/v1/namespaces/x/pods/p/eviction", {"", "v1", "pods", "x", "p", "eviction"}},
      {"/apis/apps/v1/deployments", {"apps", "v1", "deployments", "", "", ""}},
      {"/apis/apps/v1/namespaces/x/deployments/d/scale",
       {"apps", "v1", "deployments", "x", "d", "scale"}},
  };
  for (const auto& [target, want] : kCases) {
    const auto place = PlaceOf(net::ParseTarget(target).value());
    ASSERT_TRUE(place) << target;
    EXPECT_EQ(*place, want) << target;
  }
}

TEST(PlaceOfTest, IsNotForOtherPaths) {
  for (const char* target : {"/", "/api", "/api/v1", "/apis/apps/v1", "/version", "/healthz/etcd",
                             "/api/v1/namespaces/x/pods/p/log/more"}) {
    EXPECT_FALSE(PlaceOf(net::ParseTarget(target).value())) << target;
  }
}

}  // namespace
}  // namespace millwright::apiserver
