#include "dialects/capi/program_options.h"

namespace millwright::dialects::capi {

namespace {

using enum FlagType;

constexpr Flag kFlags[] = {
    // Where
    {"kubeconfig", kText, "", "The management cluster: a file; else as kubectl finds it"},
    {"namespace", kText, "", "Only objects of this namespace; all if empty"},
    {"watch-filter", kText, "", "Only objects whose label cluster.x-k8s.io/watch-filter is this"},

    // Who works
    {"leader-elect", kSwitch, "false", "Work only while holding the lease"},
    {"leader-elect-lease-duration", kDuration, "15s", "How long others wait for a silent leader"},
    {"leader-elect-renew-deadline", kDuration, "10s", "A leader that cannot renew so long stops"},
    {"leader-elect-retry-period", kDuration, "2s", "Between two attempts"},

    // How much at once
    {"cluster-concurrency", kWhole, "50", "Clusters that are worked on at once"},
    {"machine-concurrency", kWhole, "100", "Machines that are worked on at once"},
    {"machineset-concurrency", kWhole, "50", "MachineSets that are worked on at once"},
    {"machinedeployment-concurrency", kWhole, "50",
     "MachineDeployments that are worked on at once"},
    {"machinehealthcheck-concurrency", kWhole, "50", "Health checks that are worked on at once"},
    {"kube-api-qps", kReal, "100", "Requests a second to the server; unlimited unless set"},
    {"kube-api-burst", kWhole, "200", "Requests at once beyond that; unlimited unless set"},

    // Workload clusters
    {"remote-connection-grace-period", kDuration, "50s",
     "Without an answer for so long, a Cluster says that it cannot be reached"},
    {"remote-conditions-grace-period", kDuration, "5m",
     "Without an answer for so long, machines say that their nodes are unknown"},

    // Machines
    {"machineset-preflight-checks", kText, "All",
     "Checks before a machine is made: All, or some of ControlPlaneIsStable, "
     "KubernetesVersionSkew, KubeadmVersionSkew, ControlPlaneVersionSkew"},
    {"additional-sync-machine-labels", kText, "",
     "Regular expressions: labels of machines that their nodes get, too"},
    {"additional-sync-machine-annotations", kText, "",
     "Regular expressions: annotations of machines that their nodes get, too"},
    {"feature-gates", kText, "", "GATE=true,GATE=false"},

    // What is served
    {"webhook-port", kWhole, "9443", "Port of the webhooks; 0: none"},
    {"webhook-cert-dir", kText, "/tmp/k8s-webhook-server/serving-certs/",
     "Folder of the webhooks' certificate"},
    {"webhook-cert-name", kText, "tls.crt", "Its certificate"},
    {"webhook-key-name", kText, "tls.key", "Its key"},
    {"health-addr", kText, ":9440", "Address of /healthz, /readyz and /metrics"},
    {"diagnostics-address", kText, ":8443",
     "Another address of /metrics, by TLS, to those whom the API server allows it"},
    {"insecure-diagnostics", kSwitch, "false", "Serve it there as plain HTTP, to everybody"},
    {"profiler-address", kText, "", "Not empty: serve /debug/pprof/ beside /metrics"},
    {"v", kWhole, "2", "4 or more: log everything"},

    // Accepted
    {"contention-profiling", kSwitch, "false", "", true},
    {"clustertopology-concurrency", kWhole, "50", "", true},
    {"clusterclass-concurrency", kWhole, "10", "", true},
    {"clustercache-concurrency", kWhole, "100", "", true},
    {"extensionconfig-concurrency", kWhole, "10", "", true},
    {"machinepool-concurrency", kWhole, "50", "", true},
    {"clusterresourceset-concurrency", kWhole, "10", "", true},
    {"skip-crd-migration-phases", kText, "", "", true},
    {"sync-period", kDuration, "10m", "", true},
    {"clustercache-client-qps", kReal, "20", "", true},
    {"clustercache-client-burst", kWhole, "30", "", true},
    {"runtime-extension-client-cert-file", kText, "", "", true},
    {"runtime-extension-client-key-file", kText, "", "", true},
    {"tls-min-version", kText, "VersionTLS12", "", true},
    {"tls-cipher-suites", kText, "", "", true},
    {"logging-format", kText, "text", "", true},
    {"log-flush-frequency", kDuration, "5s", "", true},
    {"log-json-info-buffer-size", kText, "0", "", true},
    {"log-json-split-stream", kSwitch, "false", "", true},
    {"log-text-info-buffer-size", kText, "0", "", true},
    {"log-text-split-stream", kSwitch, "false", "", true},
    {"vmodule", kText, "", "", true},
};

}  // namespace

std::vector<Flag> Flags() { return {std::begin(kFlags), std::end(kFlags)}; }

}  // namespace millwright::dialects::capi
