#include "dialects/capi/node_sync.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/names.h"
#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// A node and what happens to it, pass by pass.
class SyncNodeTest : public ::testing::Test {
 protected:
  SyncNodeTest() {
    machine_.meta.key = {"ns", "m1"};
    machine_.spec.cluster = "c";
    machine_.owners = {{.api_version = "x/v1",
                        .kind = "MachineSet",
                        .name = "s",
                        .uid = Uid("u"),
                        .controller = true,
                        .block_owner_deletion = {}}};
  }

  static void Apply(const core::KeyChanges& changes, kube::Labels& texts) {
    for (const auto& [key, value] : changes.set) texts[key] = value;
    for (const std::string& key : changes.remove) texts.erase(key);
  }

  // Brings the node to what is wanted; then nothing more is to do.
  NodeChange Sync() {
    const auto change = Plan();
    EXPECT_TRUE(change) << (change ? "" : change.error().message());
    if (!change) return {};
    Apply(change->labels, labels_);
    Apply(change->annotations, annotations_);
    if (change->taints) {
      taints_ = core::SyncTaints(taints_, change->taints->wanted, change->taints->ours);
    }
    EXPECT_TRUE(Plan()->none());
    return *change;
  }

  Result<NodeChange> Plan() {
    node_.labels = kube::TextMap(labels_);
    node_.annotations = kube::TextMap(annotations_);
    node_.taints = taints_;
    return SyncNode(machine_, node_, view_, rules_);
  }

  std::string Annotation(std::string_view key) const {
    const auto found = annotations_.find(key);
    return found != annotations_.end() ? found->second : "none";
  }

  void Taints(std::vector<core::WantedTaint> taints) {
    rules_.taints = true;
    machine_.spec.handed_down.taints = std::move(taints);
  }

  MachineRecord machine_;
  kube::Labels labels_;  // of the node
  kube::Labels annotations_;
  std::vector<core::Taint> taints_;
  NodeRecord node_;
  NodeSyncView view_;
  NodeSyncRules rules_;
};

const core::Taint kTaint{"k", "v", "NoSchedule"};
const core::Taint kOther{"other", "", "NoExecute"};

TEST_F(SyncNodeTest, Capi_12_031_says_whose_node_it_is) {
  Sync();
  EXPECT_EQ(Annotation("cluster.x-k8s.io/cluster-name"), "c");
  EXPECT_EQ(Annotation("cluster.x-k8s.io/cluster-namespace"), "ns");
  EXPECT_EQ(Annotation("cluster.x-k8s.io/machine"), "m1");
  EXPECT_EQ(Annotation("cluster.x-k8s.io/owner-kind"), "MachineSet");
  EXPECT_EQ(Annotation("cluster.x-k8s.io/owner-name"), "s");
}

TEST_F(SyncNodeTest, WithoutControllerTheOwnerGoesAndNothingIsSentAgain) {
  Sync();
  machine_.owners.clear();
  EXPECT_THAT(Sync().annotations.remove,
              ElementsAre(annotations::kNodeOwnerKind, annotations::kNodeOwnerName));
}

TEST_F(SyncNodeTest, Capi_12_034_gate_off_no_tracking_of_taints) {
  machine_.spec.handed_down.taints = {{kTaint, false}};
  Sync();
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "none");
  EXPECT_THAT(taints_, IsEmpty());
}

TEST_F(SyncNodeTest, Capi_12_036_existing_labels_stay_and_tracking_is_empty) {
  labels_ = {{"foo", "bar"}};
  Sync();
  EXPECT_EQ(labels_, (kube::Labels{{"foo", "bar"}}));
  EXPECT_EQ(Annotation(annotations::kLabelsFromMachine), "");
  EXPECT_EQ(Annotation(annotations::kAnnotationsFromMachine), "");
}

TEST_F(SyncNodeTest, Capi_12_037_managed_labels_are_added_and_tracked) {
  labels_ = {{"foo", "bar"}};
  machine_.labels = {{"node-role.kubernetes.io/worker", ""},
                     {"node-restriction.kubernetes.io/a", "1"},
                     {"sub.node-restriction.kubernetes.io/b", "2"},
                     {"node.cluster.x-k8s.io/c", "3"},
                     {"x.node.cluster.x-k8s.io/d", "4"},
                     {"node.cluster.x-k8s.io", "5"}};
  Sync();
  EXPECT_EQ(labels_.size(), 7u);
  EXPECT_EQ(Annotation(annotations::kLabelsFromMachine),
            "node-restriction.kubernetes.io/a,node-role.kubernetes.io/worker,"
            "node.cluster.x-k8s.io,node.cluster.x-k8s.io/c,"
            "sub.node-restriction.kubernetes.io/b,x.node.cluster.x-k8s.io/d");
}

TEST_F(SyncNodeTest, Capi_12_038_other_labels_only_by_flag) {
  machine_.labels = {{"example.com/a", "1"},
                     {"sub.node-role.kubernetes.io/x", "2"},
                     {"xnode.cluster.x-k8s.io/y", "3"}};
  Sync();
  EXPECT_THAT(labels_, IsEmpty());
  rules_.labels.push_back(*kube::Pattern::Compile("^example[.]com/"));
  Sync();
  EXPECT_EQ(labels_, (kube::Labels{{"example.com/a", "1"}}));
}

TEST_F(SyncNodeTest, Capi_12_039_labels_of_others_are_taken_over) {
  labels_ = {{"node.cluster.x-k8s.io/c", "old"}};
  machine_.labels = {{"node.cluster.x-k8s.io/c", "new"}};
  Sync();
  EXPECT_EQ(labels_.at("node.cluster.x-k8s.io/c"), "new");
  machine_.labels.clear();
  Sync();
  EXPECT_THAT(labels_, IsEmpty());
}

TEST_F(SyncNodeTest, Capi_12_040_tracked_labels_go_and_tracking_is_repaired) {
  machine_.labels = {{"node.cluster.x-k8s.io/c", "1"}};
  Sync();
  machine_.labels.clear();
  labels_.clear();
  const NodeChange change = Sync();
  EXPECT_TRUE(change.labels.none());
  EXPECT_EQ(Annotation(annotations::kLabelsFromMachine), "");
}

TEST_F(SyncNodeTest, Capi_12_041_uninitialized_goes_and_others_stay) {
  taints_ = {kOther, {"node.cluster.x-k8s.io/uninitialized", "", "NoSchedule"}};
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kOther));
}

TEST_F(SyncNodeTest, Capi_12_042_without_set_and_deployment_labels_still_sync) {
  machine_.labels = {{"node.cluster.x-k8s.io/c", "1"}};
  machine_.annotations = {{"node.cluster.x-k8s.io/a", "2"}};
  Sync();
  EXPECT_EQ(labels_.size(), 1u);
  EXPECT_EQ(Annotation("node.cluster.x-k8s.io/a"), "2");
}

TEST_F(SyncNodeTest, Capi_12_043_outdated_revisions_are_marked) {
  SetRecord set;
  DeploymentRecord deployment;
  set.annotations[std::string(annotations::kRevision)] = "1";
  deployment.annotations[std::string(annotations::kRevision)] = "2";
  view_.set = &set;
  Sync();
  EXPECT_THAT(taints_, IsEmpty());
  view_.deployment = &deployment;
  Sync();
  EXPECT_THAT(taints_, ElementsAre(core::Taint{"node.cluster.x-k8s.io/outdated-revision", "",
                                               "PreferNoSchedule"}));
  set.annotations[std::string(annotations::kRevision)] = "2";
  Sync();
  EXPECT_THAT(taints_, IsEmpty());
  set.annotations[std::string(annotations::kRevision)] = "x";
  EXPECT_FALSE(Plan());
}

TEST_F(SyncNodeTest, Capi_12_044_bookkeeping_is_never_tracked) {
  machine_.annotations = {{"node.cluster.x-k8s.io/a", "2"}, {"cluster.x-k8s.io/machine", "liar"}};
  rules_.annotations.push_back(*kube::Pattern::Compile(".*"));
  Sync();
  Sync();
  EXPECT_EQ(Annotation(annotations::kAnnotationsFromMachine), "node.cluster.x-k8s.io/a");
  EXPECT_EQ(Annotation("cluster.x-k8s.io/machine"), "m1");
  machine_.annotations.clear();
  Sync();
  EXPECT_EQ(Annotation("node.cluster.x-k8s.io/a"), "none");
}

TEST_F(SyncNodeTest, Capi_12_045_empty_tracking_of_taints) {
  Taints({});
  Sync();
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "");
}

TEST_F(SyncNodeTest, Capi_12_046_always_is_added_tracked_and_put_back) {
  Taints({{kTaint, false}});
  Sync();
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "k:NoSchedule");
  taints_.clear();
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
}

TEST_F(SyncNodeTest, Capi_12_047_always_removed_from_the_machine) {
  Taints({{kTaint, false}});
  taints_ = {kOther};
  Sync();
  Taints({});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kOther));
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "");
}

TEST_F(SyncNodeTest, Capi_12_048_at_first_only) {
  Taints({{kTaint, true}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "");
  Taints({});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
  taints_.clear();
  Taints({{kTaint, true}});
  Sync();
  EXPECT_THAT(taints_, IsEmpty());
}

TEST_F(SyncNodeTest, Capi_12_049_from_always_to_first_and_back) {
  Taints({{kTaint, false}});
  Sync();
  Taints({{kTaint, true}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "");
  Taints({{kTaint, false}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
  EXPECT_EQ(Annotation(annotations::kTaintsFromMachine), "k:NoSchedule");
}

TEST_F(SyncNodeTest, Capi_12_050_new_value_in_place_and_new_effect_anew) {
  Taints({{kTaint, false}});
  Sync();
  Taints({{{"k", "w", "NoSchedule"}, false}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(core::Taint{"k", "w", "NoSchedule"}));
  Taints({{{"k", "w", "NoExecute"}, false}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(core::Taint{"k", "w", "NoExecute"}));
}

TEST_F(SyncNodeTest, Capi_12_051_a_taint_of_others_is_adopted) {
  taints_ = {{"k", "theirs", "NoSchedule"}};
  Taints({{kTaint, false}});
  Sync();
  EXPECT_THAT(taints_, ElementsAre(kTaint));
}

TEST_F(SyncNodeTest, UnreadableTrackingIsAnError) {
  Taints({});
  annotations_[std::string(annotations::kTaintsFromMachine)] = "nonsense";
  EXPECT_FALSE(Plan());
}

TEST_F(SyncNodeTest, InterruptibleIsALabel) {
  view_.interruptible = true;
  Sync();
  EXPECT_EQ(labels_.at("cluster.x-k8s.io/interruptible"), "");
  view_.interruptible = false;
  Sync();
  EXPECT_THAT(labels_, IsEmpty());
}

}  // namespace
}  // namespace millwright::dialects::capi
