// Command simulated-cloud is the cloud of all contenders: it makes and ends VMs that are names in a table, takes as long for it as
// it is told, and posts a Ready Node for each VM that has booted. It prints its address and serves until its standard input ends.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"millwright.dev/benchmarks/cloud/cluster"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "simulated-cloud:", err)
		os.Exit(1)
	}
}

func run() error {
	var initial settings
	flag.IntVar(&initial.Create, "create", 50, "milliseconds that making a VM takes")
	flag.IntVar(&initial.Get, "get", 10, "milliseconds that looking at one, or at all, takes")
	flag.IntVar(&initial.Delete, "delete", 50, "milliseconds that ending one takes")
	flag.IntVar(&initial.Boot, "boot", 2000, "milliseconds from a VM's making to its Node")
	server := flag.String("server", "", "the API server that Nodes join; none: they do not")
	authority := flag.String("ca", "", "the file of its certificate authority")
	flag.Parse()

	vms := newInventory()
	nodes := &joining{vms: vms}
	if *server != "" {
		// The token is not among the arguments: everybody on the machine can read those.
		to, err := cluster.New(*server, *authority, os.Getenv("CLUSTER_TOKEN"))
		if err != nil {
			return err
		}
		nodes.cluster = to
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(listener, newCloud(initial, nodes, vms).handler())
}
