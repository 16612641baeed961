#include "apiserver/discovery/groups.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

// What follows was recorded from a kube-apiserver 1.36 with the same definitions.

TEST(GroupsTest, CustomKindsAreListedAsAKubeApiserverListsThem) {
  const Registry registry = WorkshopRegistry();
  EXPECT_EQ(
      json::serialize(
          ResourceListDocument("example.org", *registry.FindVersion("example.org", "v1"))),
      R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.org/v1","resources":[)"
      R"({"name":"lathes","singularName":"lathe","namespaced":true,"kind":"Lathe","verbs":["delete",)"
      R"("deletecollection","get","list","patch","create","update","watch"],"shortNames":["la"],)"
      R"("categories":["all","tools"],"storageVersionHash":"SstgQGBsxYI="},{"name":"lathes/status",)"
      R"("singularName":"","namespaced":true,"kind":"Lathe","verbs":["get","patch","update"]},)"
      R"({"name":"lathes/scale","singularName":"","namespaced":true,"group":"autoscaling",)"
      R"("version":"v1","kind":"Scale","verbs":["get","patch","update"]},{"name":"saws",)"
      R"("singularName":"saw","namespaced":false,"kind":"Saw","verbs":["delete",)"
      R"("deletecollection","get","list","patch","create","update","watch"],)"
      R"("storageVersionHash":"cCe5n9wUQxg="}]})");
}

TEST(GroupsTest, ResourcesOfTheCoreGroupAreListedWithoutApiVersion) {
  const Registry registry = WorkshopRegistry();
  EXPECT_EQ(json::serialize(ResourceListDocument("", *registry.FindVersion("", "v1"))),
            R"({"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods",)"
            R"("singularName":"pod","namespaced":true,"kind":"Pod","verbs":["create","delete",)"
            R"("deletecollection","get","list","patch","update","watch"],"shortNames":["po"],)"
            R"("categories":["all"],"storageVersionHash":"xPOwRZ+Yhw8="},{"name":"pods/eviction",)"
            R"("singularName":"","namespaced":true,"group":"policy","version":"v1",)"
            R"("kind":"Eviction","verbs":["create"]},{"name":"pods/status","singularName":"",)"
            R"("namespaced":true,"kind":"Pod","verbs":["get","patch","update"]}]})");
}

TEST(GroupsTest, WhatIsNotStoredHasNoStorageVersion) {
  const Registry registry = WorkshopRegistry();
  const auto* version = registry.FindVersion("authorization.k8s.io", "v1");
  const auto document = ResourceListDocument("authorization.k8s.io", *version);
  EXPECT_FALSE(document.at("resources").at(0).as_object().contains("storageVersionHash"));
}

TEST(GroupsTest, AGroupHasItsVersionsThePreferredOneFirst) {
  const Registry registry = WorkshopRegistry();
  EXPECT_EQ(json::serialize(GroupDocument(*registry.FindGroup("example.org"))),
            R"({"kind":"APIGroup","apiVersion":"v1","name":"example.org","versions":[)"
            R"({"groupVersion":"example.org/v1","version":"v1"},)"
            R"({"groupVersion":"example.org/v1beta1","version":"v1beta1"}],)"
            R"("preferredVersion":{"groupVersion":"example.org/v1","version":"v1"}})");
}

TEST(GroupsTest, TheCoreGroupIsNotAmongTheOthers) {
  const Registry registry = WorkshopRegistry();
  const auto list = GroupListDocument(registry);
  ASSERT_EQ(list.at("groups").as_array().size(), 3u);
  EXPECT_EQ(list.at("groups").at(0).at("name"), "apps");
  EXPECT_EQ(json::serialize(CoreVersionsDocument(registry, "127.0.0.1:1234")),
            R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[)"
            R"({"clientCIDR":"0.0.0.0/0","serverAddress":"127.0.0.1:1234"}]})");
}

}  // namespace
}  // namespace millwright::apiserver
