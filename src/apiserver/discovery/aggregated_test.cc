#include "apiserver/discovery/aggregated.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

// Recorded from a kube-apiserver 1.36.

TEST(AggregatedTest, BuiltInKindsLeaveOutTheGroupTheyAreIn) {
  const auto document = AggregatedDocument(WorkshopRegistry(), AggregatedPart::kCore, "v2");
  EXPECT_EQ(json::serialize(document),
            R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2",)"
            R"("metadata":{},"items":[{"metadata":{},"versions":[{"version":"v1","resources":[)"
            R"({"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},)"
            R"("scope":"Namespaced","singularResource":"pod","verbs":["create","delete",)"
            R"("deletecollection","get","list","patch","update","watch"],"shortNames":["po"],)"
            R"("categories":["all"],"subresources":[{"subresource":"eviction","responseKind":)"
            R"({"group":"policy","version":"v1","kind":"Eviction"},"verbs":["create"]},)"
            R"({"subresource":"status","responseKind":{"group":"","version":"","kind":"Pod"},)"
            R"("verbs":["get","patch","update"]}]}],"freshness":"Current"}]}]})");
}

TEST(AggregatedTest, CustomKindsNameTheirGroup) {
  const auto document = AggregatedDocument(WorkshopRegistry(), AggregatedPart::kGroups, "v2beta1");
  EXPECT_EQ(document.at("apiVersion"), "apidiscovery.k8s.io/v2beta1");
  const json::value& group = document.at("items").at(2);
  EXPECT_EQ(
      json::serialize(group.at("versions").at(1)),
      R"({"version":"v1beta1","resources":[{"resource":"lathes","responseKind":)"
      R"({"group":"example.org","version":"v1beta1","kind":"Lathe"},"scope":"Namespaced",)"
      R"("singularResource":"lathe","verbs":["delete","deletecollection","get","list","patch",)"
      R"("create","update","watch"],"shortNames":["la"],"categories":["all","tools"]}],)"
      R"("freshness":"Current"})");
  EXPECT_EQ(json::serialize(group.at("versions").at(0).at("resources").at(0).at("subresources")),
            R"([{"subresource":"status","responseKind":{"group":"example.org","version":"v1",)"
            R"("kind":"Lathe"},"verbs":["get","patch","update"]},{"subresource":"scale",)"
            R"("responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},)"
            R"("verbs":["get","patch","update"]}])");
}

}  // namespace
}  // namespace millwright::apiserver
