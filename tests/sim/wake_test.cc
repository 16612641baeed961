// Who is looked at when: what upstream tests about its queues and locks, by what can be seen of it.
#include <algorithm>

#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

class WakeTest : public FeatureTest {
 protected:
  void SetReady(const std::string& node, std::string_view status) {
    const json::object patch{
        {"status",
         {{"conditions",
           json::array{json::object{{"type", "Ready"}, {"status", status}, {"reason", "Test"}}}}}}};
    const auto reply = cluster_.Ask("PATCH", Node(node) + "/status", json::serialize(patch),
                                    "application/strategic-merge-patch+json");
    ASSERT_EQ(reply.status, 200) << json::serialize(reply.body);
  }
  std::string NodeOf(const json::value& machine) { return LabelOf(machine, "node"); }
};

// Upstream has a lock for each deployment and an error for who waits too long for it; here whoever
// has to wait stays as he is and is looked at when his sibling has been replaced.
TEST_F(WakeTest, Gardener_13_025_WhoWaitsForASiblingStaysUnknownUntilItsTurn) {
  Begin(3, "", "", "healthTimeout: 1m, creationTimeout: 1h");
  ASSERT_TRUE(UntilRunning(3));
  for (const json::value& machine : Machines()) SetReady(NodeOf(machine), "Unknown");
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Unknown") == 3; }, 10s)) << Dump();
  int most = 0;
  ASSERT_TRUE(cluster_.Until(
      [&] {
        most = std::max(most, CountIn("Failed"));
        return CountIn("Running") == 3 && Machines().size() == 3;
      },
      10min))
      << Dump();
  EXPECT_EQ(most, 1);
}

// Permits are a matter of each deployment's own; one that has no use for its permit any more keeps
// nobody waiting.
TEST_F(WakeTest, Gardener_13_027_DeploymentsDoNotWaitForEachOther) {
  Begin(1, "", "", "healthTimeout: 1m, creationTimeout: 1h");
  cluster_.Apply(R"(
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineDeployment
metadata: {name: other, namespace: default}
spec:
  replicas: 1
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}
  selector: {matchLabels: {app: other}}
  template:
    metadata: {labels: {app: other, name: other}}
    spec: {class: {kind: MachineClass, name: small}, healthTimeout: 1m}
)");
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  const auto before = Machines();
  for (const json::value& machine : before) SetReady(NodeOf(machine), "Unknown");
  // Both are given up at their time, neither a replacement's length later.
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Failed") + CountIn("Terminating") == 2; }, 90s))
      << Dump();
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  for (const json::value& machine : before) {
    EXPECT_EQ(cluster_.Ask("GET", At("machines", NameOf(machine))).status, 404);
  }
}

// Somebody forbids it: the machine stays what it is, and its set says so.
TEST_F(WakeTest, Gardener_13_107_AMachineThatMayNotBeDeletedIsNotTerminating) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  const std::string webhooks =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const auto made = cluster_.Ask("POST", webhooks, R"({
      "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
      "metadata": {"name": "nobody-answers"}, "webhooks": [{
        "name": "nobody.answers.example", "admissionReviewVersions": ["v1"], "sideEffects": "None",
        "failurePolicy": "Fail", "timeoutSeconds": 1,
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "rules": [{"apiGroups": ["machine.sapcloud.io"], "apiVersions": ["*"],
                   "operations": ["DELETE"], "resources": ["machines"]}]}]})");
  ASSERT_EQ(made.status, 201) << json::serialize(made.body);
  Scale(1);
  ASSERT_TRUE(cluster_.Until([&] { return Events("FailedDelete") > 0; }, 1min)) << Dump();
  EXPECT_EQ(CountIn("Running"), 2);
  EXPECT_EQ(CountIn("Terminating"), 0);
  cluster_.Ask("DELETE", webhooks + "/nobody-answers");
  ASSERT_TRUE(UntilRunning(1)) << Dump();
}

TEST_F(WakeTest, Gardener_13_111_OwnedSetsWakeTheirDeploymentAndStrangersDoNot) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  cluster_.Pass(1min);
  // Somebody else's set, though it has our labels, and a set with other labels.
  cluster_.ForgetWrites();
  for (const char* set :
       {R"({name: stranger, namespace: default, labels: {app: web}, ownerReferences: [
        {apiVersion: v1, kind: ConfigMap, name: x, uid: "0-0", controller: true}]})",
        R"({name: unmatched, namespace: default, labels: {app: unmatched}})"}) {
    cluster_.Apply(
        std::string("apiVersion: machine.sapcloud.io/v1alpha1\nkind: MachineSet\nmetadata: ") +
        set + R"(
spec:
  replicas: 0
  selector: {matchLabels: {app: unmatched}}
  template: {metadata: {labels: {app: unmatched}}, spec: {class: {kind: MachineClass, name: small}}}
)");
  }
  cluster_.Pass(1min);
  for (const std::string& write : cluster_.writes()) {
    EXPECT_EQ(write.find("machinedeployments"), std::string::npos) << write;
  }
  // Its own: what is changed behind its back is put right.
  std::string own;
  for (const json::value& set : Sets()) {
    if (NameOf(set).starts_with("web-")) own = NameOf(set);
  }
  Patch(At("machinesets", own), R"({"spec": {"replicas": 5}})");
  ASSERT_TRUE(cluster_.Until(
      [&] { return TextAt(cluster_.Get(At("machinesets", own)), "/spec/replicas") == "1"; }, 1min))
      << Dump();
  // Nothing but another version of the same: nobody writes.
  ASSERT_TRUE(UntilRunning(1)) << Dump();
  cluster_.Pass(1min);
  cluster_.ForgetWrites();
  Annotate(At("machinedeployments", "web"), "kubectl.kubernetes.io/last-applied-configuration",
           "{}");
  cluster_.Pass(1min);
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front();
}

}  // namespace
}  // namespace millwright::sim
