package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// A cloud in a folder. A machine is a file under its name that holds its id; what was removed leaves a file too, so that a
// machine which somebody else made, and which is on record only, is told from one that is gone.
type cloud struct {
	folder string
	nodes  kubernetes.Interface
	mutex  sync.Mutex
}

const (
	scheme = "simulated://zone-1/" // as Millwright's simulated cloud calls its own: each side knows the other's
	gone   = ".gone"
)

func openCloud(folder, kubeconfig string) (*cloud, error) {
	if folder == "" {
		return nil, errors.New("--cloud-folder is missing")
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	nodes, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &cloud{folder: folder, nodes: nodes}, os.MkdirAll(folder, 0o700)
}

func (c *cloud) path(name string) string { return filepath.Join(c.folder, name) }

func (c *cloud) note(call, name string) {
	file, err := os.OpenFile(c.path("calls.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	fmt.Fprintln(file, call, name)
}

// The id of a machine's instance; empty if it has none.
func (c *cloud) find(machine *v1alpha1.Machine) string {
	if id, err := os.ReadFile(c.path(machine.Name)); err == nil {
		return string(id)
	}
	if _, err := os.Stat(c.path(machine.Name + gone)); err == nil {
		return ""
	}
	return machine.Spec.ProviderID
}

func (c *cloud) CreateMachine(ctx context.Context, request *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	machine := request.Machine
	c.note("create", machine.Name)
	id := c.find(machine)
	if id == "" {
		id = scheme + string(machine.UID)
		if err := os.WriteFile(c.path(machine.Name), []byte(id), 0o600); err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
	}
	if err := join(ctx, c.nodes, machine.Name, id); err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &driver.CreateMachineResponse{ProviderID: id, NodeName: machine.Name}, nil
}

func (c *cloud) InitializeMachine(context.Context, *driver.InitializeMachineRequest) (*driver.InitializeMachineResponse, error) {
	return nil, status.Error(codes.Unimplemented, "nothing to initialize")
}

func (c *cloud) DeleteMachine(_ context.Context, request *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	name := request.Machine.Name
	c.note("delete", name)
	if err := os.WriteFile(c.path(name+gone), nil, 0o600); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if err := os.Remove(c.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &driver.DeleteMachineResponse{}, nil
}

func (c *cloud) GetMachineStatus(_ context.Context, request *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id := c.find(request.Machine)
	if id == "" {
		return nil, status.Error(codes.NotFound, "no such machine")
	}
	return &driver.GetMachineStatusResponse{ProviderID: id, NodeName: request.Machine.Name}, nil
}

func (c *cloud) ListMachines(context.Context, *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	files, err := os.ReadDir(c.folder)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	found := map[string]string{}
	for _, file := range files {
		if strings.Contains(file.Name(), ".") {
			continue
		}
		id, err := os.ReadFile(c.path(file.Name()))
		if err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		found[string(id)] = file.Name()
	}
	return &driver.ListMachinesResponse{MachineList: found}, nil
}

func (c *cloud) GetVolumeIDs(context.Context, *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	return nil, status.Error(codes.Unimplemented, "no volumes here")
}
