// Package sampledriver is a driver as those for clouds are written, for a cloud of processes of this computer.
package sampledriver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
)

// Provider is what classes must say.
const Provider = "Sample"

const (
	scheme = "sample:///"
	tag    = "SAMPLE_MACHINE="
	// How long a machine has to end by itself.
	grace = 5 * time.Second
)

// spec is the class's providerSpec.
type spec struct {
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
}

// Driver keeps a folder for each machine. Its process is found by a tag in its environment, as instances
// of a cloud are by theirs, so nothing has to be remembered.
type Driver struct {
	Folder  string
	Command []string // what a machine runs
}

var _ driver.Driver = &Driver{}

func (d *Driver) CreateMachine(_ context.Context, r *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	if r.MachineClass.Provider != Provider {
		return nil, status.Error(codes.InvalidArgument, fmt.Sprintf("provider is %q and not %q", r.MachineClass.Provider, Provider))
	}
	wanted := spec{}
	if err := json.Unmarshal(r.MachineClass.ProviderSpec.Raw, &wanted); err != nil {
		return nil, status.Error(codes.InvalidArgument, "providerSpec: "+err.Error())
	}
	if len(r.Secret.Data["userData"]) == 0 {
		return nil, status.Error(codes.InvalidArgument, "secret: userData is missing")
	}
	found, err := d.processOf(r.Machine)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if found == 0 {
		if err := d.start(r.Machine, wanted, r.Secret.Data["userData"]); err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
	}
	return &driver.CreateMachineResponse{ProviderID: idOf(r.Machine), NodeName: r.Machine.Name}, nil
}

func (d *Driver) InitializeMachine(context.Context, *driver.InitializeMachineRequest) (*driver.InitializeMachineResponse, error) {
	return nil, status.Error(codes.Unimplemented, "nothing to initialize")
}

func (d *Driver) DeleteMachine(ctx context.Context, r *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	asked := time.Now()
	for signal := syscall.SIGTERM; ; {
		process, err := d.processOf(r.Machine)
		if err != nil {
			return nil, status.Error(codes.Unavailable, err.Error())
		}
		if process == 0 {
			break
		}
		if time.Since(asked) > grace {
			signal = syscall.SIGKILL
		}
		_ = syscall.Kill(process, signal)
		select {
		case <-ctx.Done():
			return nil, status.Error(codes.DeadlineExceeded, "it does not end")
		case <-time.After(50 * time.Millisecond):
		}
	}
	if err := os.RemoveAll(d.folderOf(r.Machine)); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &driver.DeleteMachineResponse{}, nil
}

func (d *Driver) GetMachineStatus(_ context.Context, r *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	process, err := d.processOf(r.Machine)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if process == 0 {
		return nil, status.Error(codes.NotFound, "no such machine")
	}
	return &driver.GetMachineStatusResponse{ProviderID: idOf(r.Machine), NodeName: r.Machine.Name}, nil
}

// Folders without a process are listed too, so that somebody cleans up.
func (d *Driver) ListMachines(_ context.Context, r *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	folders, err := os.ReadDir(d.Folder)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	list := map[string]string{}
	for _, folder := range folders {
		name, err := os.ReadFile(filepath.Join(d.Folder, folder.Name(), "name"))
		class, _ := os.ReadFile(filepath.Join(d.Folder, folder.Name(), "class"))
		if err == nil && string(class) == r.MachineClass.Name {
			list[scheme+strings.TrimPrefix(folder.Name(), "machine-")] = string(name)
		}
	}
	return &driver.ListMachinesResponse{MachineList: list}, nil
}

func (d *Driver) GetVolumeIDs(_ context.Context, r *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	ids := []string{}
	for _, volume := range r.PVSpecs {
		if volume.HostPath != nil {
			ids = append(ids, volume.HostPath.Path)
		}
	}
	return &driver.GetVolumeIDsResponse{VolumeIDs: ids}, nil
}

func idOf(machine *v1alpha1.Machine) string {
	if machine.Spec.ProviderID != "" {
		return machine.Spec.ProviderID
	}
	return scheme + string(machine.UID)
}

// A machine without UID and id has a folder that is never there, and not the one that all are in.
func (d *Driver) folderOf(machine *v1alpha1.Machine) string {
	return filepath.Join(d.Folder, "machine-"+filepath.Base(strings.TrimPrefix(idOf(machine), scheme)))
}

func (d *Driver) start(machine *v1alpha1.Machine, wanted spec, userData []byte) error {
	folder := d.folderOf(machine)
	state := filepath.Join(folder, "state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	files := map[string][]byte{
		"name": []byte(machine.Name), "class": []byte(machine.Spec.Class.Name), "user-data": userData,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	arguments := append(d.Command[1:len(d.Command):len(d.Command)], "--user-data", filepath.Join(folder, "user-data"),
		"--state-dir", state, "--name", machine.Name, "--provider-id", idOf(machine))
	if wanted.CPU != "" {
		arguments = append(arguments, "--cpu", wanted.CPU)
	}
	if wanted.Memory != "" {
		arguments = append(arguments, "--memory", wanted.Memory)
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(d.Command[0], arguments...)
	command.Env = append(os.Environ(), tag+folder)
	command.Stdout, command.Stderr = log, log
	// It outlives us.
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return err
	}
	go func() { _ = command.Wait() }()
	return nil
}

// The machine's process, 0 if there is none.
func (d *Driver) processOf(machine *v1alpha1.Machine) (int, error) {
	wanted := []byte(tag + d.folderOf(machine))
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, process := range processes {
		number, err := strconv.Atoi(process.Name())
		if err != nil {
			continue
		}
		// Empty for one that has ended and that nobody has noticed yet.
		environment, err := os.ReadFile(filepath.Join("/proc", process.Name(), "environ"))
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.ESRCH) {
			return 0, err
		}
		for _, variable := range bytes.Split(environment, []byte{0}) {
			if bytes.Equal(variable, wanted) {
				return number, nil
			}
		}
	}
	return 0, nil
}
