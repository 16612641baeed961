package main

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"millwright.dev/benchmarks/cloud/client"
	"millwright.dev/benchmarks/cloud/cluster"
)

// joining is the part of the machines that a cluster sees: their Nodes.
type joining struct {
	cluster *cluster.Client
	vms     *inventory
	number  atomic.Int64
	posted  atomic.Int64
	beats   atomic.Int64
	refused atomic.Int64
}

// join posts the Node. A kubelet tries until it gets through, so this does, as long as the VM lives.
func (j *joining) join(vm client.VM) {
	if j.cluster == nil {
		return
	}
	body := node(vm, int(j.number.Add(1)), time.Now())
	for j.vms.lives(vm) {
		status, err := j.cluster.Send(context.Background(), http.MethodPost, "/api/v1/nodes", "application/json", body)
		if err == nil && status == http.StatusCreated {
			j.posted.Add(1)
			return
		}
		j.refused.Add(1)
		time.Sleep(time.Second)
	}
}

// beat lets each Node report once in a period, evenly spread, until told to end.
func (j *joining) beat(ctx context.Context, nodes []string, period time.Duration) {
	for ctx.Err() == nil {
		begun := time.Now()
		for index, name := range nodes {
			at := begun.Add(period * time.Duration(index) / time.Duration(len(nodes)))
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Until(at)):
			}
			status, err := j.cluster.Send(ctx, http.MethodPatch, "/api/v1/nodes/"+name+"/status",
				"application/strategic-merge-patch+json", heartbeat(time.Now()))
			if err == nil && status == http.StatusOK {
				j.beats.Add(1)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(begun.Add(period))):
		}
	}
}
