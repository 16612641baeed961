#include "controllers/contract/external/owners.h"

#include <gtest/gtest.h>

#include "dialects/capi/names.h"

namespace millwright::controllers::contract {
namespace {

namespace capi = dialects::capi;

kube::Meta MetaOf(std::string name, std::string uid) {
  kube::Meta meta;
  meta.key = {"ns", std::move(name)};
  meta.uid = Uid(std::move(uid));
  return meta;
}

OwnershipWish Wish() {
  return {.machine = MetaOf("m", "u-m"), .cluster = "c", .control_plane = {}};
}

TEST(Ownership, Capi_12_025_the_set_that_made_it_hands_it_over) {
  capi::Header object;
  object.meta = MetaOf("m", "u-x");
  kube::OwnerReference set;
  set.api_version = "cluster.x-k8s.io/v1beta1";
  set.kind = "MachineSet";
  set.name = "s";
  set.uid = Uid("u-s");
  object.owners = {set};
  const auto change = PlanOwnership(object, Wish());
  ASSERT_TRUE(change && *change);
  ASSERT_EQ((*change)->owners.size(), 1);
  EXPECT_EQ((*change)->owners[0], OwnerReferenceTo("Machine", Wish().machine, true));
  EXPECT_EQ((*change)->cluster_label, "c");

  object.owners = (*change)->owners;
  object.labels["cluster.x-k8s.io/cluster-name"] = "c";
  const auto again = PlanOwnership(object, Wish());
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
}

TEST(Ownership, a_control_plane_hands_over_only_its_own_machines) {
  capi::Header object;
  kube::OwnerReference plane;
  plane.api_version = "controlplane.cluster.x-k8s.io/v1beta2";
  plane.kind = "KubeadmControlPlane";
  plane.name = "kcp";
  plane.controller = true;
  object.owners = {plane};
  EXPECT_FALSE(PlanOwnership(object, Wish()));

  OwnershipWish wish = Wish();
  wish.control_plane = {"KubeadmControlPlane", "kcp", "controlplane.cluster.x-k8s.io"};
  const auto change = PlanOwnership(object, wish);
  ASSERT_TRUE(change && *change);
  EXPECT_EQ((*change)->owners.size(), 1);
}

TEST(Ownership, other_owners_stay_and_a_stale_uid_is_replaced) {
  capi::Header object;
  object.labels["cluster.x-k8s.io/cluster-name"] = "c";
  kube::OwnerReference other;
  other.api_version = "v1";
  other.kind = "ConfigMap";
  other.name = "x";
  kube::OwnerReference stale = OwnerReferenceTo("Machine", MetaOf("m", "old"), true);
  object.owners = {other, stale};
  const auto change = PlanOwnership(object, Wish());
  ASSERT_TRUE(change && *change);
  EXPECT_EQ((*change)->owners,
            (std::vector{other, OwnerReferenceTo("Machine", Wish().machine, true)}));
}

}  // namespace
}  // namespace millwright::controllers::contract
