#include "apiserver/resources/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;

ResourcePtr Make(std::string group, std::string version, std::string kind, std::string plural) {
  return std::make_shared<Resource>(Resource{.kind = {std::move(group), std::move(version), kind},
                                             .plural = std::move(plural),
                                             .singular = kind,
                                             .list_kind = kind + "List",
                                             .storage_version = "v1"});
}

TEST(RegistryTest, OrdersVersionsAsKubernetesPrefersThem) {
  std::vector<std::string> versions = {"v1alpha1", "v1",        "foo1",      "v10beta3",
                                       "v3beta1",  "v11alpha2", "v12alpha1", "v2",
                                       "foo10",    "v11beta2",  "v10"};
  std::ranges::sort(versions, IsPreferredVersion);
  EXPECT_THAT(versions, ElementsAre("v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1",
                                    "v12alpha1", "v11alpha2", "v1alpha1", "foo1", "foo10"));
}

TEST(RegistryTest, FindsAndForgets) {
  Registry registry;
  registry.Add(Make("example.org", "v1beta1", "Lathe", "lathes"));
  registry.Add(Make("", "v1", "Pod", "pods"));
  registry.Add(Make("example.org", "v1", "Lathe", "lathes"));
  registry.Add(Make("example.org", "v1", "Saw", "saws"));
  ASSERT_EQ(registry.groups().size(), 2u);
  EXPECT_EQ(registry.groups()[0].name, "");
  EXPECT_EQ(registry.groups()[1].versions[0].name, "v1");
  EXPECT_NE(registry.Find("example.org", "v1beta1", "lathes"), nullptr);
  EXPECT_EQ(registry.Find("example.org", "v1beta1", "saws"), nullptr);
  EXPECT_NE(registry.FindKind({"example.org", "v1", "Saw"}), nullptr);
  EXPECT_EQ(registry.Preferred().size(), 3u);

  registry.Remove("example.org", "lathes");
  EXPECT_EQ(registry.FindVersion("example.org", "v1beta1"), nullptr);
  EXPECT_NE(registry.FindVersion("example.org", "v1"), nullptr);
  registry.Remove("example.org", "saws");
  EXPECT_EQ(registry.FindGroup("example.org"), nullptr);
}

TEST(ResourceTest, KeysLeadToObjectsOfAllVersions) {
  const auto pods = Make("", "v1", "Pod", "pods");
  EXPECT_EQ(StorageKey(*pods, "ns", "a"), "/core/pods/ns/a");
  EXPECT_EQ(StorageScope(*pods, ""), "/core/pods/");
  EXPECT_EQ(StorageScope(*pods, "ns"), "/core/pods/ns/");
  EXPECT_EQ(StorageKey(*Make("example.org", "v1", "Saw", "saws"), "", "a"), "/example.org/saws/a");
  EXPECT_EQ(StorageRoot(*Make("events.k8s.io", "v1", "Event", "events")), "/core/events/");
}

}  // namespace
}  // namespace millwright::apiserver
