package main

import (
	"context"
	"errors"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"

	"millwright.dev/benchmarks/cloud/client"
)

// thinDriver turns each call into one request to the simulated cloud. VMs and Nodes are called as their machines are.
type thinDriver struct{ cloud *client.Client }

func (d thinDriver) CreateMachine(ctx context.Context, r *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	vm, err := d.cloud.Create(ctx, r.Machine.Name)
	if err != nil {
		return nil, coded(err)
	}
	return &driver.CreateMachineResponse{ProviderID: vm.ID, NodeName: vm.Name}, nil
}

func (d thinDriver) InitializeMachine(context.Context, *driver.InitializeMachineRequest) (*driver.InitializeMachineResponse, error) {
	return nil, status.Error(codes.Unimplemented, "there is nothing to initialize")
}

func (d thinDriver) DeleteMachine(ctx context.Context, r *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	if err := d.cloud.Delete(ctx, r.Machine.Name); err != nil {
		return nil, coded(err)
	}
	return &driver.DeleteMachineResponse{}, nil
}

func (d thinDriver) GetMachineStatus(ctx context.Context, r *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	vm, err := d.cloud.Get(ctx, r.Machine.Name)
	if err != nil {
		return nil, coded(err)
	}
	return &driver.GetMachineStatusResponse{ProviderID: vm.ID, NodeName: vm.Name}, nil
}

func (d thinDriver) ListMachines(ctx context.Context, _ *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	all, err := d.cloud.List(ctx)
	if err != nil {
		return nil, coded(err)
	}
	found := make(map[string]string, len(all))
	for _, vm := range all {
		found[vm.ID] = vm.Name
	}
	return &driver.ListMachinesResponse{MachineList: found}, nil
}

func (d thinDriver) GetVolumeIDs(context.Context, *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	return nil, status.Error(codes.Unimplemented, "there are no volumes")
}

func coded(err error) error {
	if errors.Is(err, client.ErrNotFound) {
		return status.Error(codes.NotFound, err.Error())
	}
	return status.Error(codes.Unavailable, err.Error())
}
