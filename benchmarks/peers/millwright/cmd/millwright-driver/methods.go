package main

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"millwright.dev/benchmarks/cloud/client"
)

type method func(ctx context.Context, asked, reply message) error

const (
	canTellStatus = 2 // CAPABILITY_STATUS
	canList       = 3 // CAPABILITY_LIST
)

// methodsOf turns each call into one request to the simulated cloud, but Create: the protocol wants it to answer with the VM that
// the machine has already, so it looks first, as the other contenders' controllers do before they call their drivers.
func methodsOf(cloud *client.Client) map[string]method {
	return map[string]method{
		"GetInfo": func(_ context.Context, _, reply message) error {
			reply.setText("name", "simulated-cloud")
			return nil
		},
		"GetCapabilities": func(_ context.Context, _, reply message) error {
			reply.addNumber("capabilities", canTellStatus)
			reply.addNumber("capabilities", canList)
			return nil
		},
		"Probe": func(context.Context, message, message) error { return nil },
		"Create": func(ctx context.Context, asked, reply message) error {
			name := asked.within("machine").text("name")
			vm, err := cloud.Get(ctx, name)
			if errors.Is(err, client.ErrNotFound) {
				vm, err = cloud.Create(ctx, name)
			}
			if err != nil {
				return coded(err)
			}
			describeVM(reply.within("instance"), vm)
			return nil
		},
		"Delete": func(ctx context.Context, asked, _ message) error {
			name := asked.within("machine").text("name")
			if err := cloud.Delete(ctx, name); err != nil && !errors.Is(err, client.ErrNotFound) {
				return coded(err)
			}
			return nil
		},
		"GetStatus": func(ctx context.Context, asked, reply message) error {
			vm, err := cloud.Get(ctx, asked.within("machine").text("name"))
			if err != nil {
				return coded(err)
			}
			describeVM(reply.within("instance"), vm)
			return nil
		},
		"List": func(ctx context.Context, _, reply message) error {
			all, err := cloud.List(ctx)
			if err != nil {
				return coded(err)
			}
			for _, vm := range all {
				describeVM(reply.add("instances"), vm)
			}
			return nil
		},
	}
}

func describeVM(instance message, vm client.VM) {
	instance.setText("provider_id", vm.ID)
	instance.setText("node_name", vm.Name)
	instance.setText("machine_name", vm.Name)
}

func coded(err error) error {
	if errors.Is(err, client.ErrNotFound) {
		return status.Error(codes.NotFound, err.Error())
	}
	return status.Error(codes.Unavailable, err.Error())
}
