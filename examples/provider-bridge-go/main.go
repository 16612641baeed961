// A provider for Millwright made of a driver for Gardener's machine-controller-manager.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"millwright.dev/examples/provider-bridge/bridge"
	"millwright.dev/examples/provider-bridge/sampledriver"
)

func main() {
	listen := flag.String("listen", "", "unix:///PATH or HOST:PORT")
	certificates := flag.String("certs", "", "folder with ca.crt, tls.crt and tls.key, for HOST:PORT")
	machines := flag.String("machines", "machines", "folder of the machines")
	command := flag.String("machine-command", "millwright node-agent", "what a machine runs")
	flag.Parse()

	folder, err := filepath.Abs(*machines)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		log.Fatal(err)
	}
	// The one line that differs for another driver, which its own main function hands to app.Run.
	driver := &sampledriver.Driver{Folder: folder, Command: strings.Fields(*command)}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	options := bridge.Options{Name: "sample-bridge", Version: "1", Providers: []string{sampledriver.Provider}}
	log.Printf("serving at %s", *listen)
	if err := bridge.Serve(ctx, driver, options, *listen, *certificates); err != nil {
		log.Fatal(err)
	}
}
