// Command machine-controller is Gardener's machine controller, as its library makes it, with a driver to the simulated cloud.
package main

import (
	"fmt"
	"os"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/app"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/app/options"
	"github.com/spf13/pflag"
	"k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"

	"millwright.dev/benchmarks/cloud/client"
)

func main() {
	server := options.NewMCServer()
	server.AddFlags(pflag.CommandLine)
	flag.InitFlags()
	logs.InitLogs()
	defer logs.FlushLogs()

	cloud, err := client.FromEnvironment()
	if err == nil {
		err = app.Run(server, thinDriver{cloud})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
