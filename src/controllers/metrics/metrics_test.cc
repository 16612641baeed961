// Metrics as a scrape sees them, from caches that were filled by watches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "controllers/metrics/activity.h"
#include "controllers/metrics/machine_gauges.h"
#include "controllers/metrics/queue_metrics.h"
#include "controllers/metrics/rest_client.h"
#include "dialects/gardener/gardener.h"
#include "net/testing/scripted_http.h"

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kEndOfList =
    R"({"type":"BOOKMARK","object":{"kind":"X","metadata":{"resourceVersion":"9",)"
    R"("annotations":{"k8s.io/initial-events-end":"true"}}}})";

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string MachineText(const std::string& phase, const std::string& version) {
  return R"({"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"Machine","metadata":{"name":"m",)"
         R"("namespace":"default","uid":"u","resourceVersion":")" +
         version +
         R"(","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"name":"web","node":"n"}},)"
         R"("spec":{"class":{"kind":"MachineClass","name":"small"},"providerID":"x:///1",)"
         R"("nodeTemplate":{"metadata":{"labels":{"topology.kubernetes.io/zone":"z1"}}}},)"
         R"("status":{"conditions":[{"type":"Ready","status":"Unknown"}],)"
         R"("currentStatus":{"phase":")" +
         phase + R"("}}})";
}

constexpr const char* kSet =
    R"({"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineSet","metadata":{"name":"s",)"
    R"("namespace":"default","uid":"s","resourceVersion":"2","creationTimestamp":)"
    R"("1970-01-01T00:00:07Z"},"spec":{"replicas":3,"selector":{"matchLabels":{"name":"web"}},)"
    R"("template":{"metadata":{"labels":{"name":"web"}},"spec":{"class":{"apiGroup":"g",)"
    R"("kind":"MachineClass","name":"small"}}}},"status":{"replicas":2,"readyReplicas":1,)"
    R"("availableReplicas":1,"conditions":[{"type":"ReplicaFailure","status":"True"}],)"
    R"("failedMachines":[{"name":"m","providerID":"x:///1","ownerRef":"s",)"
    R"("lastOperation":{"state":"Failed","type":"Create"}}]}})";

constexpr const char* kDeployment =
    R"({"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineDeployment","metadata":)"
    R"({"name":"web","namespace":"default","uid":"d","resourceVersion":"2"},"spec":{"replicas":4,)"
    R"("paused":true,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"50%",)"
    R"("maxUnavailable":1}},"selector":{"matchLabels":{"name":"web"}},"template":{"metadata":)"
    R"({"labels":{"name":"web"}},"spec":{"class":{"kind":"MachineClass","name":"small"}}}},)"
    R"("status":{"replicas":2,"updatedReplicas":2,"availableReplicas":1}})";

constexpr const char* kClass =
    R"({"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineClass","metadata":{"name":)"
    R"("small","namespace":"default","uid":"c","resourceVersion":"2"},"provider":"x",)"
    R"("providerSpec":{},"nodeTemplate":{"capacity":{"cpu":"1","gpu":"0","memory":"1Gi"},)"
    R"("instanceType":"m1","region":"r","zone":"z"}})";

class MetricsTest : public testing::Test {
 protected:
  void TearDown() override {
    tasks_.Cancel();
    world_.Settle();
  }

  void SetUp() override {
    for (const auto& [stream, object] : {std::pair{&machines_, MachineText("Pending", "2")},
                                         {&sets_, std::string(kSet)},
                                         {&deployments_, std::string(kDeployment)},
                                         {&classes_, std::string(kClass)}}) {
      *stream = http_.Stream("GET ");
      (*stream)->Push(Event("ADDED", object) + kEndOfList + "\n");
    }
    tasks_.Spawn([this] { return caches_.Run(); });
    world_.Settle();
    ASSERT_TRUE(caches_.synced());
    metrics_.Add(std::make_unique<MachineGauges>(caches_, Loops{}, [this] { return frozen_; }));
  }

  std::string Scrape() { return metrics_.Serialize(); }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  CapturingSink sink_;
  Log log_{sink_, clock_};
  net::ScriptedHttp http_{process_.executor()};
  kube::Client client_{http_, "test"};
  dialects::gardener::GardenerDialect dialect_;
  kube::Recorder events_{process_.executor(), client_, clock_, Logger(), {}};
  Surroundings surroundings_{.executor = process_.executor(),
                             .clock = clock_,
                             .random = random_,
                             .log = log_,
                             .control = client_,
                             .dialect = dialect_,
                             .events = events_,
                             .settings = {}};
  Metrics metrics_;
  Caches caches_{surroundings_};
  Activity activity_{metrics_, surroundings_, caches_};
  bool frozen_ = false;
  std::shared_ptr<net::ScriptedStream> machines_, sets_, deployments_, classes_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(MetricsTest, MachinesAreShownAsTheyAreAtTheScrape) {
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("mcm_machine_items_total 1\n"),
            HasSubstr("mcm_machine_controller_frozen 0\n"),
            HasSubstr("mcm_machine_current_status_phase{name=\"m\",namespace=\"default\"} 0\n"),
            HasSubstr(
                "mcm_machine_info{name=\"m\",namespace=\"default\",createdAt=\"1767225600\","
                "spec_provider_id=\"x:///1\",spec_class_api_group=\"\","
                "spec_class_kind=\"MachineClass\",spec_class_name=\"small\",node_name=\"n\"} 1"),
            HasSubstr("mcm_machine_status_condition{name=\"m\",namespace=\"default\","
                      "condition=\"Ready\"} 2")));
  frozen_ = true;
  machines_->Push(Event("MODIFIED", MachineText("Terminating", "10")));
  world_.Settle();
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("mcm_machine_controller_frozen 1\n"),
            HasSubstr("mcm_machine_current_status_phase{name=\"m\",namespace=\"default\"} -4\n")));
}

TEST_F(MetricsTest, WhatIsGoneHasNoSeries) {
  machines_->Push(Event("DELETED", MachineText("Terminating", "10")));
  world_.Settle();
  EXPECT_THAT(Scrape(),
              AllOf(HasSubstr("mcm_machine_items_total 0\n"), Not(HasSubstr("mcm_machine_info{")),
                    Not(HasSubstr("mcm_machine_status_condition{"))));
}

TEST_F(MetricsTest, SetsAreShown) {
  const std::string s = R"({name="s",namespace="default"})";
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("mcm_machine_set_items_total 1\n"),
            HasSubstr("mcm_machine_set_info{name=\"s\",namespace=\"default\",createdAt=\"7\","
                      "spec_machine_class_api_group=\"g\",spec_machine_class_kind=\"MachineClass\","
                      "spec_machine_class_name=\"small\"} 1\n"),
            HasSubstr("mcm_machine_set_info_spec_replicas" + s + " 3\n"),
            HasSubstr("mcm_machine_set_status_replicas" + s + " 2\n"),
            HasSubstr("mcm_machine_set_status_ready_replicas" + s + " 1\n"),
            HasSubstr("condition=\"ReplicaFailure\"} 1\n"),
            HasSubstr("mcm_machine_set_failed_machines{name=\"s\",namespace=\"default\","
                      "failed_machine_name=\"m\",failed_machine_provider_id=\"x:///1\","
                      "failed_machine_owner_ref=\"s\",failed_machine_last_operation_state="
                      "\"Failed\",failed_machine_last_operation_machine_operation_type="
                      "\"Create\"} 1\n")));
}

TEST_F(MetricsTest, DeploymentsAreShown) {
  const std::string d = R"({name="web",namespace="default"})";
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("mcm_machine_deployment_items_total 1\n"),
            HasSubstr("spec_strategy_type=\"RollingUpdate\"} 1\n"),
            HasSubstr("mcm_machine_deployment_info_spec_paused" + d + " 1\n"),
            HasSubstr("mcm_machine_deployment_info_spec_rolling_update_max_surge" + d + " 2\n"),
            HasSubstr("mcm_machine_deployment_status_unavailable_replicas" + d + " 3\n"),
            HasSubstr("mcm_machine_deployment_status_updated_replicas" + d + " 2\n"),
            Not(HasSubstr("info_spec_revision_history_limit{"))));
}

TEST_F(MetricsTest, CallsToCloudsAreCounted) {
  const providers::MachineIdentity machine{.name = "m", .namespace_ = "default"};
  activity_.OnCloudCall({.provider = "x",
                         .call = providers::CloudCall::kCreate,
                         .machine = &machine,
                         .took = 2400ms});
  const Error error =
      Failure(providers::FailCloud(core::CloudCode::kResourceExhausted, "full")).error();
  activity_.OnCloudCall({.provider = "x",
                         .call = providers::CloudCall::kCreate,
                         .machine = &machine,
                         .took = 1s,
                         .error = &error});
  const std::string of = R"({provider="x",service="create_machine"})";
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("mcm_cloud_api_requests_total" + of + " 2\n"),
            HasSubstr("mcm_cloud_api_requests_failed_total" + of + " 1\n"),
            HasSubstr("mcm_cloud_api_driver_requests_failed_total{error_code=\"ResourceExhausted\","
                      "operation=\"create_machine\",provider=\"x\"} 1\n"),
            HasSubstr("mcm_cloud_api_driver_request_duration_seconds_count{operation=\"create_"
                      "machine\",provider=\"x\"} 2\n"),
            HasSubstr("mcm_machine_create_duration_seconds{instance_type=\"m1\","
                      "machine_deployment=\"web\",namespace=\"default\",zone=\"z1\"} 2\n")));
}

TEST_F(MetricsTest, AMachineThatJoinsTellsHowLongItTook) {
  machines_->Push(Event("MODIFIED", MachineText("Running", "10")));
  world_.Settle();
  EXPECT_THAT(Scrape(), HasSubstr("mcm_machine_join_duration_seconds{instance_type=\"m1\","));
}

TEST_F(MetricsTest, AMachineThatDoesNotJoinIsCountedAndSoIsItsRemoval) {
  machines_->Push(Event("MODIFIED", MachineText("Failed", "10")));
  world_.Settle();
  EXPECT_THAT(Scrape(), AllOf(HasSubstr("mcm_machine_num_failed_join{instance_type=\"m1\","),
                              HasSubstr("mcm_machine_stale_machines_total 0\n")));
  machines_->Push(Event("MODIFIED", MachineText("Terminating", "11")));
  world_.Settle();
  EXPECT_THAT(Scrape(), HasSubstr("mcm_machine_stale_machines_total 1\n"));
}

TEST_F(MetricsTest, RequestsAreCountedByCodeAndHost) {
  const kube::RequestObserver tell = CountRequests(metrics_, "api:443");
  const std::string method = "GET";
  tell({.method = method, .status = 200, .took = 10ms});
  tell({.method = method, .status = 0, .took = 1s});
  EXPECT_THAT(
      Scrape(),
      AllOf(
          HasSubstr(R"(rest_client_requests_total{code="200",host="api:443",method="GET"} 1)"),
          HasSubstr(R"(rest_client_requests_total{code="<error>",host="api:443",method="GET"} 1)"),
          HasSubstr(R"(rest_client_request_latency_seconds_count{url="api:443",verb="GET"} 2)"),
          HasSubstr(R"(mcm_reflector_watches_total{name="machines"} 1)")));
}

TEST_F(MetricsTest, QueuesHaveUpstreamsNames) {
  QueueMetricsOfAll queues;
  kube::Controller controller(process_.executor(), clock_, Logger(), {.name = "machine"}, {});
  queues.Observe(metrics_, controller);
  controller.queue().Add({"default", "m"});
  queues.BeforeScrape();
  EXPECT_THAT(Scrape(),
              AllOf(HasSubstr("mcm_workqueue_depth{name=\"machine\"} 1\n"),
                    HasSubstr("mcm_workqueue_adds_total{name=\"machine\"} 1\n"),
                    HasSubstr("mcm_workqueue_unfinished_work_seconds{name=\"machine\"} 0\n")));
}

}  // namespace
}  // namespace millwright::controllers
