#include "benchmarks/sample_node.h"

#include <fmt/format.h>
#include <boost/json.hpp>

namespace millwright::benchmarks {

namespace json = boost::json;

namespace {

constexpr const char* kTime = "2026-01-02T03:04:05Z";

json::object Condition(const char* type, const char* status, const char* reason,
                       const char* message) {
  return {{"type", type},       {"status", status},           {"reason", reason},
          {"message", message}, {"lastHeartbeatTime", kTime}, {"lastTransitionTime", kTime}};
}

json::object Labels(const std::string& name) {
  return {{"beta.kubernetes.io/arch", "amd64"},
          {"beta.kubernetes.io/instance-type", "m5.2xlarge"},
          {"beta.kubernetes.io/os", "linux"},
          {"failure-domain.beta.kubernetes.io/region", "eu-central-1"},
          {"failure-domain.beta.kubernetes.io/zone", "eu-central-1b"},
          {"kubernetes.io/arch", "amd64"},
          {"kubernetes.io/hostname", name},
          {"kubernetes.io/os", "linux"},
          {"node.kubernetes.io/instance-type", "m5.2xlarge"},
          {"node.kubernetes.io/role", "worker"},
          {"topology.ebs.csi.aws.com/zone", "eu-central-1b"},
          {"topology.kubernetes.io/region", "eu-central-1"},
          {"topology.kubernetes.io/zone", "eu-central-1b"},
          {"worker.gardener.cloud/pool", "worker-a"}};
}

json::array Conditions() {
  return {Condition("MemoryPressure", "False", "KubeletHasSufficientMemory",
                    "kubelet has sufficient memory available"),
          Condition("DiskPressure", "False", "KubeletHasNoDiskPressure",
                    "kubelet has no disk pressure"),
          Condition("PIDPressure", "False", "KubeletHasSufficientPID",
                    "kubelet has sufficient PID available"),
          Condition("Ready", "True", "KubeletReady", "kubelet is posting ready status")};
}

json::array Images() {
  json::array images;
  for (int i = 0; i < 8; ++i) {
    const std::string repository = fmt::format("registry.example.com/platform/component-{}", i);
    images.push_back(
        json::object{{"names", json::array{fmt::format("{}@sha256:{:064x}", repository, i * 7919),
                                           repository + ":v1.2.3"}},
                     {"sizeBytes", 12345678 + i}});
  }
  return images;
}

json::object Resources(const char* cpu, const char* memory) {
  return {{"cpu", cpu},           {"memory", memory},     {"ephemeral-storage", "50620216Ki"},
          {"hugepages-1Gi", "0"}, {"hugepages-2Mi", "0"}, {"pods", "110"}};
}

json::object Info(int number) {
  const std::string id = fmt::format("{:032x}", number);
  return {{"architecture", "amd64"},
          {"bootID", id},
          {"containerRuntimeVersion", "containerd://1.7.27"},
          {"kernelVersion", "6.1.0-31-cloud-amd64"},
          {"kubeProxyVersion", "v1.33.4"},
          {"kubeletVersion", "v1.33.4"},
          {"machineID", id},
          {"operatingSystem", "linux"},
          {"osImage", "Debian GNU/Linux 12 (bookworm)"},
          {"systemUUID", id}};
}

}  // namespace

std::string NodeName(int number) {
  return fmt::format("ip-10-{}-{}-{}.eu-central-1.compute.internal", number / 65536,
                     number / 256 % 256, number % 256);
}

std::string SampleNode(int number) {
  const std::string name = NodeName(number);
  const json::object status{
      {"addresses", json::array{{{"type", "InternalIP"}, {"address", "10.250.3.17"}},
                                {{"type", "InternalDNS"}, {"address", name}},
                                {{"type", "Hostname"}, {"address", name}}}},
      {"allocatable", Resources("7910m", "31418632Ki")},
      {"capacity", Resources("8", "32468232Ki")},
      {"conditions", Conditions()},
      {"daemonEndpoints", {{"kubeletEndpoint", {{"Port", 10250}}}}},
      {"images", Images()},
      {"nodeInfo", Info(number)}};
  return json::serialize(json::object{
      {"apiVersion", "v1"},
      {"kind", "Node"},
      {"metadata",
       {{"name", name},
        {"labels", Labels(name)},
        {"annotations",
         {{"csi.volume.kubernetes.io/nodeid",
           fmt::format(R"({{"ebs.csi.aws.com":"i-{:017x}"}})", number)},
          {"node.alpha.kubernetes.io/ttl", "0"},
          {"volumes.kubernetes.io/controller-managed-attach-detach", "true"}}}}},
      {"spec",
       {{"podCIDR", "100.64.7.0/24"},
        {"podCIDRs", json::array{"100.64.7.0/24"}},
        {"providerID", fmt::format("aws:///eu-central-1b/i-{:017x}", number)},
        {"taints",
         json::array{{{"key", "dedicated"}, {"value", "batch"}, {"effect", "NoSchedule"}}}}}},
      {"status", status}});
}

}  // namespace millwright::benchmarks
