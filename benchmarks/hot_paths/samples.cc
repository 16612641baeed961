#include "benchmarks/hot_paths/samples.h"

#include <fmt/format.h>

namespace millwright::benchmarks {

std::string SampleGardenerMachine(int number, bool running) {
  return fmt::format(
      R"({{"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"Machine","metadata":{{"name":"pool-a-{0:06}",)"
      R"("namespace":"shoot","uid":"5c1f9d4e-8c7a-4f0e-9d5a-{0:012}","resourceVersion":"{1}","generation":2,)"
      R"("creationTimestamp":"2026-11-16T09:00:00Z","labels":{{"node":"pool-a-{0:06}","name":"pool",)"
      R"("machine-template-hash":"3817252434"}},"annotations":{{"machinepriority.machine.sapcloud.io":"3"}},)"
      R"("finalizers":["machine.sapcloud.io/machine-controller-manager"],"ownerReferences":[{{)"
      R"("apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineSet","name":"pool-a","uid":"s1","controller":true}}],)"
      R"("managedFields":[{{"apiVersion":"machine.sapcloud.io/v1alpha1","fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":)"
      R"({{"f:labels":{{"f:name":{{}},"f:node":{{}}}},"f:finalizers":{{}}}},"f:spec":{{"f:class":{{}}}}}},"manager":"millwright",)"
      R"("operation":"Update","time":"2026-11-16T09:00:00Z"}}]}},"spec":{{"class":{{"kind":"MachineClass","name":"small"}},)"
      R"("providerID":"bench:///zone-1/vm-{0:08}","nodeTemplate":{{"metadata":{{"labels":{{"pool":"pool-a","zone":"a"}}}},)"
      R"("spec":{{}}}}}},"status":{{"currentStatus":{{"phase":"{2}","lastUpdateTime":"2026-11-16T09:05:00Z"}},)"
      R"("lastOperation":{{"description":"Machine pool-a-{0:06} successfully joined the cluster","type":"Create",)"
      R"("state":"{3}","lastUpdateTime":"2026-11-16T09:05:00Z"}},"conditions":[{{"type":"Ready","status":"True",)"
      R"("reason":"KubeletReady","message":"kubelet is posting ready status","lastHeartbeatTime":"2026-11-16T09:59:00Z",)"
      R"("lastTransitionTime":"2026-11-16T09:05:00Z"}},{{"type":"MemoryPressure","status":"False",)"
      R"("reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available",)"
      R"("lastHeartbeatTime":"2026-11-16T09:59:00Z","lastTransitionTime":"2026-11-16T09:05:00Z"}}]}}}})",
      number, running ? 8 : 9, running ? "Running" : "Pending",
      running ? "Successful" : "Processing");
}

std::string SampleCapiMachine(int number, bool running) {
  return fmt::format(
      R"({{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","metadata":{{"name":"pool-a-{0:06}",)"
      R"("namespace":"default","uid":"5c1f9d4e-8c7a-4f0e-9d5a-{0:012}","resourceVersion":"{1}","generation":3,)"
      R"("creationTimestamp":"2026-11-16T09:00:00Z","labels":{{"cluster.x-k8s.io/set-name":"pool-a",)"
      R"("cluster.x-k8s.io/cluster-name":"bench","cluster.x-k8s.io/deployment-name":"pool"}},)"
      R"("finalizers":["machine.cluster.x-k8s.io"],"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
      R"("kind":"MachineSet","name":"pool-a","uid":"s1","controller":true,"blockOwnerDeletion":true}}],)"
      R"("managedFields":[{{"apiVersion":"cluster.x-k8s.io/v1beta2","fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{)"
      R"("f:version":{{}},"f:clusterName":{{}},"f:bootstrap":{{}}}}}},"manager":"capi-machineset","operation":"Apply",)"
      R"("time":"2026-11-16T09:00:00Z"}}]}},"spec":{{"clusterName":"bench","version":"v1.36.4",)"
      R"("providerID":"bench:///zone-1/vm-{0:08}","bootstrap":{{"dataSecretName":"boot"}},"infrastructureRef":{{)"
      R"("kind":"BenchMachine","name":"pool-a-{0:06}","apiGroup":"infrastructure.cluster.x-k8s.io"}}}},"status":{{)"
      R"("phase":"{2}","observedGeneration":3,"initialization":{{"infrastructureProvisioned":true,)"
      R"("bootstrapDataSecretCreated":true}},"nodeRef":{{"name":"pool-a-{0:06}"}},"nodeInfo":{{"osImage":"Debian",)"
      R"("architecture":"amd64","kubeletVersion":"v1.36.4"}},"conditions":[{{"type":"Ready","status":"True",)"
      R"("reason":"Ready","message":"","lastTransitionTime":"2026-11-16T09:02:00Z","observedGeneration":3}},)"
      R"({{"type":"Available","status":"{3}","reason":"Available","message":"","lastTransitionTime":)"
      R"("2026-11-16T09:02:00Z","observedGeneration":3}},{{"type":"NodeHealthy","status":"True","reason":"NodeHealthy",)"
      R"("message":"","lastTransitionTime":"2026-11-16T09:02:00Z","observedGeneration":3}}]}}}})",
      number, running ? 8 : 9, running ? "Running" : "Provisioned", running ? "True" : "False");
}

std::string SampleGardenerSet() {
  return R"({"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineSet","metadata":{"name":"pool-a",)"
         R"("namespace":"shoot","uid":"s1","generation":3,"creationTimestamp":"2026-11-16T09:00:00Z","annotations":{)"
         R"("deployment.kubernetes.io/revision":"4"},"ownerReferences":[{"kind":"MachineDeployment","name":"pool",)"
         R"("uid":"d1","controller":true}]},"spec":{"replicas":990,"selector":{"matchLabels":{"name":"pool"}},)"
         R"("template":{"metadata":{"labels":{"name":"pool","machine-template-hash":"3817252434"}},"spec":{"class":{)"
         R"("kind":"MachineClass","name":"small"},"nodeTemplate":{"metadata":{"labels":{"pool":"pool-a"}}}}}},)"
         R"("status":{"replicas":1000,"readyReplicas":1000,"availableReplicas":1000,"observedGeneration":3}})";
}

}  // namespace millwright::benchmarks
