#include "kube/api/builtin_merge_keys.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

struct Case {
  const char* name;
  GroupVersionKind kind;
  const char* path;  // members from the top
  PatchStrategy strategy;
  const char* merge_key;
};

const GroupVersionKind kPod{"", "v1", "Pod"};
const GroupVersionKind kNode{"", "v1", "Node"};
const GroupVersionKind kDeployment{"apps", "v1", "Deployment"};
const GroupVersionKind kCronJob{"batch", "v1", "CronJob"};

using enum PatchStrategy;

const Case kCases[] = {
    {"Finalizers", {"", "v1", "Secret"}, "metadata.finalizers", kMerge, ""},
    {"OwnerReferences",
     {"coordination.k8s.io", "v1", "Lease"},
     "metadata.ownerReferences",
     kMerge,
     "uid"},
    {"Containers", kPod, "spec.containers", kMerge, "name"},
    {"InitContainers", kPod, "spec.initContainers", kMerge, "name"},
    {"Environment", kPod, "spec.containers.env", kMerge, "name"},
    {"Ports", kPod, "spec.initContainers.ports", kMerge, "containerPort"},
    {"Mounts", kPod, "spec.containers.volumeMounts", kMerge, "mountPath"},
    {"Devices", kPod, "spec.containers.volumeDevices", kMerge, "devicePath"},
    {"Volumes", kPod, "spec.volumes", kMerge, "name"},
    {"PodPullSecrets", kPod, "spec.imagePullSecrets", kMerge, "name"},
    {"HostAliases", kPod, "spec.hostAliases", kMerge, "ip"},
    {"PodConditions", kPod, "status.conditions", kMerge, "type"},
    {"TolerationsAreReplaced", kPod, "spec.tolerations", kDefault, ""},
    {"NodeConditions", kNode, "status.conditions", kMerge, "type"},
    {"NodeAddresses", kNode, "status.addresses", kMerge, "type"},
    {"PodCidrs", kNode, "spec.podCIDRs", kMerge, ""},
    {"TaintsAreReplaced", kNode, "spec.taints", kDefault, ""},
    {"TemplateContainers", kDeployment, "spec.template.spec.containers", kMerge, "name"},
    {"TemplateMounts",
     {"apps", "v1", "DaemonSet"},
     "spec.template.spec.containers.volumeMounts",
     kMerge,
     "mountPath"},
    {"DeploymentConditions", kDeployment, "status.conditions", kMerge, "type"},
    {"CronJobContainers", kCronJob, "spec.jobTemplate.spec.template.spec.containers", kMerge,
     "name"},
    {"ServicePorts", {"", "v1", "Service"}, "spec.ports", kMerge, "port"},
    {"AccountSecrets", {"", "v1", "ServiceAccount"}, "secrets", kMerge, "name"},
    {"AccountPullSecretsAreReplaced",
     {"", "v1", "ServiceAccount"},
     "imagePullSecrets",
     kDefault,
     ""},
    {"BudgetSelectorIsReplaced",
     {"policy", "v1", "PodDisruptionBudget"},
     "spec.selector",
     kReplace,
     ""},
    {"Webhooks",
     {"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"},
     "webhooks.matchConditions",
     kMerge,
     "name"},
    {"CsiDrivers", {"storage.k8s.io", "v1", "CSINode"}, "spec.drivers", kMerge, "name"},
};

class BuiltinMergeKeysTest : public testing::TestWithParam<Case> {};

TEST_P(BuiltinMergeKeysTest, AreThoseOfKubernetes) {
  const MergeKeys* keys = BuiltinMergeKeys(GetParam().kind);
  const MergeField* field = nullptr;
  for (std::string_view path = GetParam().path; !path.empty();) {
    const size_t dot = path.find('.');
    field = keys == nullptr ? nullptr : keys->Find(path.substr(0, dot));
    keys = field == nullptr ? nullptr : field->inner;
    path.remove_prefix(dot == path.npos ? path.size() : dot + 1);
  }
  EXPECT_EQ(field == nullptr ? kDefault : field->strategy, GetParam().strategy);
  EXPECT_EQ(field == nullptr ? "" : field->merge_key, GetParam().merge_key);
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinMergeKeysTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BuiltinMergeKeys, AreNotForCustomResources) {
  EXPECT_EQ(BuiltinMergeKeys({"cluster.x-k8s.io", "v1beta2", "Machine"}), nullptr);
  EXPECT_EQ(BuiltinMergeKeys({"machine.sapcloud.io", "v1alpha1", "Machine"}), nullptr);
}

// What kubelet sends: one condition of many.
TEST(BuiltinMergeKeys, LetAPatchTouchOneConditionOfANode) {
  const json::value node = json::parse(R"({"status":{"conditions":[
      {"type":"MemoryPressure","status":"False"},{"type":"Ready","status":"False","reason":"x"}]}})");
  const json::value patch = json::parse(R"({"status":{
      "$setElementOrder/conditions":[{"type":"MemoryPressure"},{"type":"Ready"}],
      "conditions":[{"type":"Ready","status":"True"}]}})");
  const auto result = ApplyStrategicMergePatch(node, patch, *BuiltinMergeKeys(kNode));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(*result, json::parse(R"({"status":{"conditions":[
      {"type":"MemoryPressure","status":"False"},{"type":"Ready","status":"True","reason":"x"}]}})"));
}

}  // namespace
}  // namespace millwright::kube
