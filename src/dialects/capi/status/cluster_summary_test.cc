#include "dialects/capi/status/cluster_summary.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "dialects/capi/status/cluster_status.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/testing.h"

namespace millwright::dialects::capi {
namespace {

using namespace status_testing;

DeploymentRecord Deployment(const std::string& name, int wished, int available) {
  DeploymentRecord deployment;
  deployment.meta.key = {"default", name};
  deployment.spec.replicas = wished;
  deployment.status.replicas = wished;
  deployment.status.ready = available;
  deployment.status.available = available;
  deployment.status.up_to_date = wished;
  const bool all = available == wished;
  deployment.status.conditions = {
      Reported("Available", all ? Truth::kTrue : Truth::kFalse, all ? "" : "too few"),
      Reported("RollingOut", Truth::kFalse), Reported("ScalingUp", Truth::kFalse),
      Reported("ScalingDown", Truth::kFalse)};
  return deployment;
}

MachineRecord MachineNamed(const std::string& name, Truth ready, const std::string& message = {}) {
  MachineRecord machine;
  machine.meta.key = {"default", name};
  machine.created = kNow - 1h;
  machine.status.conditions = {Reported("Available", ready), Reported("Ready", ready, message),
                               Reported("UpToDate", Truth::kTrue)};
  return machine;
}

// A cluster with a control plane that has an object, all well.
struct Scene {
  ClusterRecord cluster;
  ExternalRecord plane;
  ClusterFamily family;

  Scene() {
    cluster.meta.key = {"default", "c"};
    cluster.meta.generation = 2;
    cluster.control_plane = {.kind = "TestControlPlane", .name = "c", .group = "controlplane"};
    cluster.status.control_plane_initialized = true;
    cluster.status.conditions = {Reported("RemoteConnectionProbe", Truth::kTrue),
                                 Reported("InfrastructureReady", Truth::kTrue),
                                 Reported("Deleting", Truth::kFalse)};
    plane.meta.key = {"default", "c"};
    plane.counts = {.desired = 3, .replicas = 3, .ready = 2, .available = 1, .up_to_date = 0};
    family.control_plane = &plane;
  }

  ClusterStatus Next() const {
    ClusterStatus next = cluster.status;
    AddClusterSummary(cluster, family, kNow, next);
    return next;
  }
  std::string Show(std::string_view type) const {
    const Condition found = Get(Next().conditions, type);
    return std::string(ToString(found.status)) + " " + found.reason.str() +
           (found.message.empty() ? "" : ": " + found.message.str());
  }
};

TEST(ClusterSummary, AClusterWithoutWorkersIsAvailable) {
  const Scene scene;
  EXPECT_EQ(scene.Show("Available"), "True Available");
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"), "True Available");
  EXPECT_EQ(scene.Show("WorkersAvailable"), "True NoWorkers");
  EXPECT_EQ(scene.Show("ControlPlaneMachinesReady"), "True NoReplicas");
  EXPECT_EQ(scene.Show("WorkerMachinesReady"), "True NoReplicas");
  EXPECT_EQ(scene.Show("ControlPlaneMachinesUpToDate"), "True NoReplicas");
  EXPECT_EQ(scene.Show("WorkerMachinesUpToDate"), "True NoReplicas");
  EXPECT_EQ(scene.Show("RollingOut"), "False NotRollingOut");
  EXPECT_EQ(scene.Show("ScalingUp"), "False NotScalingUp");
  EXPECT_EQ(scene.Show("ScalingDown"), "False NotScalingDown");
  EXPECT_EQ(scene.Show("Remediating"), "False NotRemediating");
  EXPECT_EQ(scene.Next().workers, ReplicaCounts{});
}

TEST(ClusterSummary, WhatTheControlPlaneSaysIsMirrored) {
  Scene scene;
  scene.plane.summaries = {Reported("Available", Truth::kFalse, "no quorum", "Broken")};
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"), "False Broken: no quorum");
  EXPECT_EQ(scene.Show("Available"), "False NotAvailable: * ControlPlaneAvailable: no quorum");
  scene.plane.summaries.clear();
  scene.plane.conditions_problem = "odd";
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"), "Unknown InvalidConditionReported: odd");
  scene.plane.conditions_problem.clear();
  scene.cluster.status.control_plane_initialized.reset();
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"),
            "False NotAvailable: TestControlPlane status.initialization.controlPlaneInitialized "
            "is false");
  scene.family.control_plane = nullptr;
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"),
            "False ObjectDoesNotExist: TestControlPlane does not exist");
  scene.cluster.status.control_plane_initialized = true;
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"),
            "False ObjectDeleted: TestControlPlane has been deleted while the cluster still "
            "exists");
  EXPECT_EQ(scene.Next().control_plane, ReplicaCounts{});
  scene.family.control_plane_known = false;
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"),
            "Unknown InternalError: Please check controller logs for errors");
  EXPECT_EQ(scene.Show("ScalingUp"),
            "Unknown InternalError: Please check controller logs for errors");
}

TEST(ClusterSummary, CountsOfTheControlPlaneByContract) {
  Scene scene;
  EXPECT_EQ(scene.Next().control_plane, scene.plane.counts);
  scene.family.is_v1beta2 = false;
  scene.plane.updated_replicas = 2;
  EXPECT_EQ(
      scene.Next().control_plane,
      (ReplicaCounts{.desired = 3, .replicas = 3, .ready = 2, .available = {}, .up_to_date = 2}));
  scene.plane.unavailable_replicas = 1;
  EXPECT_EQ(scene.Next().control_plane.available, 2);
  scene.plane.unavailable_replicas = 5;
  EXPECT_EQ(scene.Next().control_plane.available, 0);
}

TEST(ClusterSummary, MachinesWithoutAnObjectAreCounted) {
  Scene scene;
  scene.cluster.control_plane = {};
  scene.family.control_plane = nullptr;
  scene.cluster.status.control_plane_initialized.reset();
  EXPECT_TRUE(scene.Show("ControlPlaneAvailable").starts_with("False NotAvailable: Waiting"));
  scene.cluster.status.control_plane_initialized = true;
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"), "True Available");
  const MachineRecord a = MachineNamed("a", Truth::kTrue);
  const MachineRecord b = MachineNamed("b", Truth::kFalse, "broken");
  scene.family.control_plane_machines = {&a, &b};
  EXPECT_EQ(
      scene.Next().control_plane,
      (ReplicaCounts{.desired = 2, .replicas = 2, .ready = 1, .available = 1, .up_to_date = 2}));
  EXPECT_EQ(scene.Show("ControlPlaneMachinesReady"), "False NotReady: * Machine b: broken");
  EXPECT_EQ(scene.Show("ControlPlaneMachinesUpToDate"), "True UpToDate");
  EXPECT_EQ(scene.Show("WorkerMachinesReady"), "True NoReplicas");
}

TEST(ClusterSummary, WorkersAreSumsOfWhatTheirOwnersCount) {
  Scene scene;
  const DeploymentRecord good = Deployment("good", 2, 2);
  const DeploymentRecord bad = Deployment("bad", 3, 1);
  SetRecord set;
  set.spec.replicas = 4;
  set.status.replicas = 3;
  const MachineRecord loose = MachineNamed("m", Truth::kFalse, "broken");
  scene.family.deployments = {&good, &bad};
  scene.family.sets = {&set};
  scene.family.loose = {&loose};
  scene.family.workers = {&loose};
  EXPECT_EQ(
      scene.Next().workers,
      (ReplicaCounts{.desired = 10, .replicas = 9, .ready = 3, .available = 3, .up_to_date = 6}));
  EXPECT_EQ(scene.Show("WorkersAvailable"), "False NotAvailable: * MachineDeployment bad: too few");
  EXPECT_EQ(scene.Show("WorkerMachinesReady"), "False NotReady: * Machine m: broken");
  EXPECT_EQ(scene.Show("Available"),
            "False NotAvailable: * WorkersAvailable:\n  * MachineDeployment bad: too few");
}

TEST(ClusterSummary, ActivityOfAnyKindIsToldByKind) {
  Scene scene;
  DeploymentRecord deployment = Deployment("d", 1, 1);
  SetRecord set;
  set.meta.key = {"default", "s"};
  set.status.conditions = {Reported("ScalingUp", Truth::kTrue, "from 0 to 1")};
  scene.family.deployments = {&deployment};
  scene.family.sets = {&set};
  scene.plane.summaries = {Reported("ScalingUp", Truth::kTrue, "from 1 to 3"),
                           Reported("RollingOut", Truth::kTrue, "new version")};
  EXPECT_EQ(scene.Show("ScalingUp"),
            "True ScalingUp: * MachineSet s: from 0 to 1\n* TestControlPlane c: from 1 to 3");
  EXPECT_EQ(scene.Show("RollingOut"), "True RollingOut: * TestControlPlane c: new version");
  // A control plane need not say; a set and a deployment will.
  EXPECT_EQ(scene.Show("ScalingDown"),
            "Unknown ScalingDownUnknown: * MachineSet s: Condition ScalingDown not yet reported");
  deployment.status.conditions.clear();
  scene.plane.summaries.clear();
  EXPECT_EQ(
      scene.Show("RollingOut"),
      "Unknown RollingOutUnknown: * MachineDeployment d: Condition RollingOut not yet reported");
}

TEST(ClusterSummary, RemediationOfAllMachines) {
  Scene scene;
  MachineRecord machine = MachineNamed("m", Truth::kTrue);
  scene.family.workers = {&machine};
  machine.status.conditions.push_back(Reported("HealthCheckSucceeded", Truth::kFalse));
  EXPECT_EQ(scene.Show("Remediating"),
            "False NotRemediating: Machine m is not healthy (not to be remediated)");
  machine.status.conditions.push_back(Reported("OwnerRemediated", Truth::kFalse, "waits"));
  EXPECT_EQ(scene.Show("Remediating"), "True Remediating: * Machine m: waits");
}

TEST(ClusterSummary, GatesCountForAvailable) {
  Scene scene;
  scene.cluster.availability_gates = {{.type = "Fine"}, {.type = "Bad", .negative = true}};
  EXPECT_EQ(scene.Show("Available"),
            "Unknown AvailableUnknown: * Fine: Condition not yet reported\n"
            "* Bad: Condition not yet reported");
  scene.cluster.status.conditions.push_back(Reported("Fine", Truth::kTrue));
  scene.cluster.status.conditions.push_back(Reported("Bad", Truth::kTrue, "burns"));
  EXPECT_EQ(scene.Show("Available"), "False NotAvailable: * Bad: burns");
}

TEST(ClusterSummary, WhatIsGoneWithTheClusterIsNotHeldAgainstIt) {
  Scene scene;
  scene.cluster.meta.deleting_since = kNow;
  scene.family.control_plane = nullptr;
  scene.cluster.status.conditions = {
      Reported("RemoteConnectionProbe", Truth::kTrue),
      Reported("InfrastructureReady", Truth::kFalse, "X has been deleted", "ObjectDeleted"),
      Reported("Deleting", Truth::kTrue, "going")};
  EXPECT_EQ(scene.Show("ControlPlaneAvailable"),
            "False ObjectDeleted: TestControlPlane has been deleted");
  EXPECT_EQ(scene.Show("Available"), "False NotAvailable: * Deleting: going");
}

TEST(ClusterSummary, ANewMachineIsCountedWhenItHadTimeToReport) {
  Scene scene;
  MachineRecord machine = MachineNamed("m", Truth::kTrue);
  std::erase_if(machine.status.conditions, [](const auto& one) { return one.type == "UpToDate"; });
  machine.created = kNow - 4s;
  scene.family.workers = {&machine};
  ClusterStatus next = scene.cluster.status;
  EXPECT_EQ(AddClusterSummary(scene.cluster, scene.family, kNow, next), kNow + 7s);
  EXPECT_EQ(scene.Show("WorkerMachinesUpToDate"), "True NoReplicas");
  machine.created = kNow - 11s;
  EXPECT_EQ(scene.Show("WorkerMachinesUpToDate"),
            "Unknown UpToDateUnknown: * Machine m: Condition UpToDate not yet reported");
}

TEST(ClusterSummary, TheSecondLookWritesNothing) {
  Scene scene;
  const DeploymentRecord deployment = Deployment("d", 2, 1);
  scene.family.deployments = {&deployment};
  ClusterFacts facts{.last_probe = kNow, .family = scene.family};
  const ClusterStatus first = NextClusterStatus(scene.cluster, facts, kNow).status;
  const auto patch = StatusPatch(scene.cluster.status, first);
  EXPECT_EQ(boost::json::serialize(patch.at("status").at("workers")),
            R"({"desiredReplicas":2,"replicas":2,"readyReplicas":1,"availableReplicas":1,)"
            R"("upToDateReplicas":2})");
  scene.cluster.status = first;
  const ClusterStatus second = NextClusterStatus(scene.cluster, facts, kNow + 10s).status;
  EXPECT_TRUE(StatusPatch(first, second).empty());
}

}  // namespace
}  // namespace millwright::dialects::capi
