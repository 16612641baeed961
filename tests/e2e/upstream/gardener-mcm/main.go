// Gardener's machine-controller as its authors mean it to be built: their loops around a provider's driver. The driver is ours
// and has a folder for a cloud, so that a test sees every machine that was made and every call.
package main

import (
	"fmt"
	"os"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/app"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/app/options"
	"github.com/spf13/pflag"
	"k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
)

func main() {
	server := options.NewMCServer()
	server.AddFlags(pflag.CommandLine)
	folder := pflag.String("cloud-folder", "", "where the machines of the cloud are: a file each")
	flag.InitFlags()
	logs.InitLogs()
	defer logs.FlushLogs()

	cloud, err := openCloud(*folder, server.TargetKubeconfig)
	if err == nil {
		err = app.Run(server, cloud)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
