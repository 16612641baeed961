// Command write-rate measures how many writes a second an API server commits: objects of a custom kind are made, their status is
// patched, and they are deleted, by many clients at once. This is the limit that no controller can beat in the same place.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"millwright.dev/benchmarks/cloud/cluster"
)

func main() {
	server := flag.String("server", "", "the API server")
	authority := flag.String("ca", "", "the file of its certificate authority")
	collection := flag.String("collection", "", "path of the collection that is written to")
	object := flag.String("object", "", "the object, as JSON; NAME in it is replaced")
	status := flag.String("status", "", "the status, as JSON")
	count := flag.Int("count", 1000, "how many objects")
	clients := flag.Int("clients", 64, "how many requests are under way at once")
	flag.Parse()

	to, err := cluster.New(*server, *authority, os.Getenv("CLUSTER_TOKEN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "write-rate:", err)
		os.Exit(1)
	}
	measure := func(send func(name string) (int, error)) float64 { return rate(*count, *clients, send) }
	name := func(number string) string { return *collection + "/" + number }
	figures := map[string]float64{}
	figures["create"] = measure(func(number string) (int, error) {
		body := json.RawMessage(strings.ReplaceAll(*object, "NAME", number))
		return to.Send(context.Background(), http.MethodPost, *collection, "application/json", body)
	})
	figures["patch"] = measure(func(number string) (int, error) {
		body := json.RawMessage(fmt.Sprintf(`{"status":%s}`, *status))
		return to.Send(context.Background(), http.MethodPatch, name(number)+"/status", "application/merge-patch+json", body)
	})
	figures["delete"] = measure(func(number string) (int, error) {
		return to.Send(context.Background(), http.MethodDelete, name(number), "application/json", nil)
	})
	_ = json.NewEncoder(os.Stdout).Encode(figures)
}

func rate(count, clients int, send func(string) (int, error)) float64 {
	var next atomic.Int64
	var workers sync.WaitGroup
	begun := time.Now()
	for range clients {
		workers.Go(func() {
			for {
				number := int(next.Add(1))
				if number > count {
					return
				}
				code, err := send(fmt.Sprintf("write-rate-%06d", number))
				if err != nil || code >= 300 {
					fmt.Fprintln(os.Stderr, "write-rate: refused:", code, err)
					os.Exit(1)
				}
			}
		})
	}
	workers.Wait()
	return float64(count) / time.Since(begun).Seconds()
}
