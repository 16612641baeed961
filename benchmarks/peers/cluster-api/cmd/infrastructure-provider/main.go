// Command infrastructure-provider is the least that Cluster API's contract asks of a provider of machines: a BenchMachine becomes a
// VM of the simulated cloud. It writes twice in a machine's life beside its finalizer, and knows nothing that the contract does not.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	cloudclient "millwright.dev/benchmarks/cloud/client"
)

func main() {
	workers := flag.Int("workers", 100, "how many machines are looked at at once")
	flag.Parse() // --kubeconfig comes from controller-runtime
	if err := run(*workers); err != nil {
		fmt.Fprintln(os.Stderr, "infrastructure-provider:", err)
		os.Exit(1)
	}
}

func run(workers int) error {
	ctrl.SetLogger(logr.Discard())
	cloud, err := cloudclient.FromEnvironment()
	if err != nil {
		return err
	}
	config := ctrl.GetConfigOrDie()
	config.QPS, config.Burst = -1, 0 // never the one that is waited for
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		Client:  client.Options{Cache: &client.CacheOptions{Unstructured: true}},
	})
	if err != nil {
		return err
	}
	machines := machineReconciler{client: manager.GetClient(), cloud: cloud}
	err = ctrl.NewControllerManagedBy(manager).For(benchMachine()).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).Complete(machines)
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
