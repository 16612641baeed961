#include "benchmarks/sample_gardener.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "benchmarks/sample_node.h"

namespace millwright::benchmarks {

namespace json = boost::json;

namespace {

std::string TimeOf(int number) {
  return fmt::format("2026-01-02T{:02}:{:02}:{:02}Z", number / 3600 % 24, number / 60 % 60,
                     number % 60);
}

std::string UidOf(int number) { return fmt::format("3f1c7a52-9d0e-4c1b-8a77-{:012x}", number); }

json::object NodeTemplate() {
  return {{"metadata",
           {{"labels",
             {{"node.kubernetes.io/role", "worker"},
              {"worker.gardener.cloud/pool", "worker-a"},
              {"worker.gardener.cloud/cri-name", "containerd"},
              {"kubernetes.io/arch", "amd64"}}},
            {"annotations", {{"worker.gardener.cloud/note", "batch"}}}}},
          {"spec",
           {{"taints",
             json::array{{{"key", "dedicated"}, {"value", "batch"}, {"effect", "NoSchedule"}}}}}}};
}

json::object Metadata(int number) {
  return {{"name", fmt::format("shoot--core--prod-worker-a-z1-6f3c2-{:05}", number)},
          {"namespace", "shoot--core--prod"},
          {"uid", UidOf(number)},
          {"resourceVersion", std::to_string(1'000'000 + number)},
          {"generation", 2},
          {"creationTimestamp", TimeOf(number)},
          {"labels",
           {{"machine-template-hash", "3817252434"},
            {"name", "shoot--core--prod-worker-a-z1"},
            {"node", NodeName(number)}}},
          {"annotations", {{"machinepriority.machine.sapcloud.io", "3"}}},
          {"finalizers", json::array{"machine.sapcloud.io/machine-controller-manager"}},
          {"ownerReferences", json::array{{{"apiVersion", "machine.sapcloud.io/v1alpha1"},
                                           {"kind", "MachineSet"},
                                           {"name", "shoot--core--prod-worker-a-z1-6f3c2"},
                                           {"uid", "7c0de4ad-57a7-4d2f-90a8-0b5e7c1e2d3f"},
                                           {"controller", true},
                                           {"blockOwnerDeletion", true}}}}};
}

json::object Status(int number, json::value conditions) {
  return {{"node", NodeName(number)},
          {"conditions", std::move(conditions)},
          {"currentStatus", {{"phase", "Running"}, {"lastUpdateTime", TimeOf(number + 95)}}},
          {"lastOperation",
           {{"description", fmt::format("Machine shoot--core--prod-worker-a-z1-6f3c2-{:05} "
                                        "successfully joined the cluster in 1m35s",
                                        number)},
            {"state", "Successful"},
            {"type", "Create"},
            {"lastUpdateTime", TimeOf(number + 95)}}}};
}

// Each node became ready at a time of its own.
json::value Parsed(int number) {
  json::value node = json::parse(SampleNode(number));
  for (json::value& condition : node.at("status").at("conditions").as_array()) {
    condition.as_object()["lastTransitionTime"] = TimeOf(number + 95);
  }
  return node;
}

}  // namespace

std::string GardenerMachine(int number) {
  const json::value node = Parsed(number);
  return json::serialize(
      json::object{{"apiVersion", "machine.sapcloud.io/v1alpha1"},
                   {"kind", "Machine"},
                   {"metadata", Metadata(number)},
                   {"spec",
                    {{"class",
                      {{"apiGroup", "machine.sapcloud.io"},
                       {"kind", "MachineClass"},
                       {"name", "shoot--core--prod-worker-a-z1-6f3c2"}}},
                     {"drainTimeout", "2h0m0s"},
                     {"healthTimeout", "10m0s"},
                     {"creationTimeout", "20m0s"},
                     {"maxEvictRetries", 10},
                     {"nodeConditions", "KernelDeadlock,ReadonlyFilesystem,DiskPressure"},
                     {"nodeTemplate", NodeTemplate()},
                     {"providerID", fmt::format("aws:///eu-central-1b/i-{:017x}", number)}}},
                   {"status", Status(number, node.at("status").at("conditions"))}});
}

std::string GardenerNode(int number) {
  json::value node = Parsed(number);
  json::object& metadata = node.at("metadata").as_object();
  metadata["uid"] = UidOf(number + (1 << 24));
  metadata["resourceVersion"] = std::to_string(2'000'000 + number);
  metadata["creationTimestamp"] = TimeOf(number + 60);
  metadata["finalizers"] = json::array{"node.machine.sapcloud.io/machine-controller"};
  metadata["labels"].as_object()["node.gardener.cloud/machine-name"] =
      fmt::format("shoot--core--prod-worker-a-z1-6f3c2-{:05}", number);
  metadata["annotations"].as_object()["node.machine.sapcloud.io/last-applied-anno-labels-taints"] =
      json::serialize(NodeTemplate());
  return json::serialize(node);
}

}  // namespace millwright::benchmarks
