package main

import (
	"fmt"
	"time"

	"millwright.dev/benchmarks/cloud/client"
)

// node is what the kubelet of a machine that is up and well would have written, complete at once.
func node(vm client.VM, number int, now time.Time) map[string]any {
	address := fmt.Sprintf("10.%d.%d.%d", 1+number>>16, number>>8&255, number&255)
	resources := func(cpu string) map[string]any {
		return map[string]any{"cpu": cpu, "memory": "16265860Ki", "pods": "110", "ephemeral-storage": "51290592Ki",
			"hugepages-1Gi": "0", "hugepages-2Mi": "0"}
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Node",
		"metadata": map[string]any{
			"name": vm.Name,
			"labels": map[string]any{
				"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": vm.Name,
				"node.kubernetes.io/instance-type": "m.large", "topology.kubernetes.io/region": "region-1",
				"topology.kubernetes.io/zone": "zone-1", "worker.example.com/pool": "pool-1",
			},
			"annotations": map[string]any{"volumes.kubernetes.io/controller-managed-attach-detach": "true"},
		},
		"spec": map[string]any{"providerID": vm.ID, "podCIDR": "10.240.0.0/24", "podCIDRs": []string{"10.240.0.0/24"}},
		"status": map[string]any{
			"addresses": []map[string]any{{"type": "InternalIP", "address": address}, {"type": "Hostname", "address": vm.Name},
				{"type": "InternalDNS", "address": vm.Name + ".internal"}},
			"capacity": resources("4"), "allocatable": resources("3920m"),
			"conditions":      conditions(now),
			"daemonEndpoints": map[string]any{"kubeletEndpoint": map[string]any{"Port": 10250}},
			"images":          images(),
			"nodeInfo": map[string]any{"architecture": "amd64", "bootID": "5c1f9d4e-8c7a-4f0e-9d5a-0e8d5e2a7b11",
				"containerRuntimeVersion": "containerd://2.1.4", "kernelVersion": "6.12.48-generic", "kubeProxyVersion": "",
				"kubeletVersion": "v1.36.4", "machineID": "ec2b5d2d2b9d7f8f1f0b1a4b0c3d4e5f", "operatingSystem": "linux",
				"osImage": "Debian GNU/Linux 13 (trixie)", "systemUUID": "ec2b5d2d-2b9d-7f8f-1f0b-1a4b0c3d4e5f"},
		},
	}
}

func conditions(now time.Time) []map[string]any {
	at := now.UTC().Format(time.RFC3339)
	condition := func(kind, status, reason, message string) map[string]any {
		return map[string]any{"type": kind, "status": status, "reason": reason, "message": message,
			"lastHeartbeatTime": at, "lastTransitionTime": at}
	}
	return []map[string]any{
		condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
		condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
		condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
		condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
	}
}

// images makes the object as long as real ones are: they are most of it.
func images() []map[string]any {
	all := make([]map[string]any, 20)
	for number := range all {
		name := fmt.Sprintf("images.example.com/platform/component-%02d", number)
		all[number] = map[string]any{"sizeBytes": 20_000_000 + number, "names": []string{
			fmt.Sprintf("%s@sha256:%064x", name, number*7919+17), fmt.Sprintf("%s:v1.%d.0", name, number)}}
	}
	return all
}

// heartbeat is what a kubelet patches every five minutes although nothing is new.
func heartbeat(now time.Time) map[string]any {
	at := now.UTC().Format(time.RFC3339)
	var all []map[string]any
	for _, kind := range []string{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
		all = append(all, map[string]any{"type": kind, "lastHeartbeatTime": at})
	}
	return map[string]any{"status": map[string]any{"conditions": all}}
}
