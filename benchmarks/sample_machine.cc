#include "benchmarks/sample_machine.h"

#include <fmt/format.h>

namespace millwright::benchmarks {

std::string MachinesTarget() { return "/apis/bench.example.org/v1/namespaces/default/machines"; }

std::string MachineName(int number) { return fmt::format("shoot--dev--worker-a-z1-{:06}", number); }

std::string SampleMachine(int number) {
  return fmt::format(
      R"({{"apiVersion":"bench.example.org/v1","kind":"Machine","metadata":{{"name":"{}","labels":{{)"
      R"("machine-template-hash":"3817252434","name":"shoot--dev--worker-a-z1","node":"ip-10-0-{}-{}"}},)"
      R"("annotations":{{"checksum":"{:064x}"}},"finalizers":["example.org/machine"]}},"spec":{{)"
      R"("providerID":"cloud:///region-1/i-{:017x}","class":{{"kind":"MachineClass","name":"worker-a-z1-6f3c2"}},)"
      R"("userData":"{}","zones":["region-1a","region-1b"],"replicas":1}},"status":{{"phase":"Running",)"
      R"("conditions":[{{"type":"Ready","status":"True","reason":"KubeletReady","message":"kubelet is posting ready status",)"
      R"("lastTransitionTime":"2026-01-01T00:00:00Z"}},{{"type":"MemoryPressure","status":"False",)"
      R"("reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available",)"
      R"("lastTransitionTime":"2026-01-01T00:00:00Z"}}]}}}})",
      MachineName(number), number / 250, number % 250, number, number,
      std::string(1350, static_cast<char>('a' + number % 26)));
}

}  // namespace millwright::benchmarks
