// Package bridge serves a driver that was written for Gardener's machine-controller-manager over
// Millwright's provider protocol.
//
// A driver expects whole Kubernetes objects and knows one code more than gRPC. Both are made up for here;
// the driver itself stays as it is.
package bridge

import (
	"context"
	"encoding/json"
	"sort"
	"sync"

	"github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "millwright.dev/examples/provider-bridge/providerv1"
)

// Options say what the driver cannot say of itself.
type Options struct {
	Name    string
	Version string
	// Providers are the values of MachineClass.provider that the driver accepts; none: any.
	Providers []string
	// UserDataAlways puts a placeholder where a driver wants user data in the Secret of every call.
	UserDataAlways bool
}

// Server is both services of the protocol.
type Server struct {
	pb.UnimplementedIdentityServer
	pb.UnimplementedMachinesServer

	driver  driver.Driver
	options Options

	mutex sync.Mutex
	busy  map[string]bool // UIDs of machines with a call under way
}

// New makes a server of a driver.
func New(d driver.Driver, options Options) *Server {
	return &Server{driver: d, options: options, busy: map[string]bool{}}
}

func (s *Server) GetInfo(context.Context, *pb.GetInfoRequest) (*pb.GetInfoResponse, error) {
	return &pb.GetInfoResponse{Name: s.options.Name, Version: s.options.Version, Providers: s.options.Providers}, nil
}

// What a driver cannot do it says with Unimplemented when asked, which Millwright understands.
func (s *Server) GetCapabilities(context.Context, *pb.GetCapabilitiesRequest) (*pb.GetCapabilitiesResponse, error) {
	return &pb.GetCapabilitiesResponse{Capabilities: []pb.Capability{
		pb.Capability_CAPABILITY_INITIALIZE, pb.Capability_CAPABILITY_STATUS, pb.Capability_CAPABILITY_LIST,
		pb.Capability_CAPABILITY_VOLUME_IDS,
	}}, nil
}

func (s *Server) Probe(context.Context, *pb.ProbeRequest) (*pb.ProbeResponse, error) {
	return &pb.ProbeResponse{}, nil
}

func (s *Server) Create(ctx context.Context, r *pb.CreateRequest) (*pb.CreateResponse, error) {
	done, err := s.begin(r.Machine)
	if err != nil {
		return nil, err
	}
	defer done()
	answer, err := s.driver.CreateMachine(ctx, &driver.CreateMachineRequest{
		Machine:      machineOf(r.Machine, r.MachineClass, r.LastKnownState),
		MachineClass: classOf(r.MachineClass),
		Secret:       s.secretOf(r.MachineClass, r.Secrets, r.UserData),
	})
	if err != nil {
		state := ""
		if answer != nil {
			state = answer.LastKnownState
		}
		return nil, statusOf(err, state)
	}
	instance := instanceOf(r.Machine, answer.ProviderID, answer.NodeName, answer.Addresses)
	response := &pb.CreateResponse{Outcome: &pb.CreateResponse_Instance{Instance: instance}}
	if answer.LastKnownState != "" {
		response.LastKnownState = &answer.LastKnownState
	}
	return response, nil
}

func (s *Server) Initialize(ctx context.Context, r *pb.InitializeRequest) (*pb.InitializeResponse, error) {
	done, err := s.begin(r.Machine)
	if err != nil {
		return nil, err
	}
	defer done()
	answer, err := s.driver.InitializeMachine(ctx, &driver.InitializeMachineRequest{
		Machine:      machineOf(r.Machine, r.MachineClass, r.LastKnownState),
		MachineClass: classOf(r.MachineClass),
		Secret:       s.secretOf(r.MachineClass, r.Secrets, r.UserData),
	})
	if err != nil {
		return nil, statusOf(err, "")
	}
	return &pb.InitializeResponse{
		Instance: instanceOf(r.Machine, answer.ProviderID, answer.NodeName, answer.Addresses),
	}, nil
}

func (s *Server) Delete(ctx context.Context, r *pb.DeleteRequest) (*pb.DeleteResponse, error) {
	done, err := s.begin(r.Machine)
	if err != nil {
		return nil, err
	}
	defer done()
	_, err = s.driver.DeleteMachine(ctx, &driver.DeleteMachineRequest{
		Machine:      machineOf(r.Machine, r.MachineClass, ""),
		MachineClass: classOf(r.MachineClass),
		Secret:       s.secretOf(r.MachineClass, r.Secrets, nil),
	})
	// To a driver an instance that is not there may be an error; here it is what was wanted.
	if err != nil && codeOf(err) != codes.NotFound {
		return nil, statusOf(err, "")
	}
	return &pb.DeleteResponse{}, nil
}

func (s *Server) GetStatus(ctx context.Context, r *pb.GetStatusRequest) (*pb.GetStatusResponse, error) {
	answer, err := s.driver.GetMachineStatus(ctx, &driver.GetMachineStatusRequest{
		Machine:      machineOf(r.Machine, r.MachineClass, ""),
		MachineClass: classOf(r.MachineClass),
		Secret:       s.secretOf(r.MachineClass, r.Secrets, nil),
	})
	// "It is there and not initialized" is an error with an answer beside it.
	uninitialized := isUninitialized(err) && answer != nil
	if err != nil && !uninitialized {
		return nil, statusOf(err, "")
	}
	instance := instanceOf(r.Machine, answer.ProviderID, answer.NodeName, answer.Addresses)
	instance.NeedsInitialize = uninitialized
	return &pb.GetStatusResponse{Instance: instance}, nil
}

// A driver's list has no pages, so it is sent in one if it fits into a message, and else cut here. A token
// is the last id of the page before: the list is asked for again with each page, in the same order.
func (s *Server) List(ctx context.Context, r *pb.ListRequest) (*pb.ListResponse, error) {
	answer, err := s.driver.ListMachines(ctx, &driver.ListMachinesRequest{
		MachineClass: classOf(r.MachineClass),
		Secret:       s.secretOf(r.MachineClass, r.Secrets, nil),
	})
	if err != nil {
		return nil, statusOf(err, "")
	}
	ids := make([]string, 0, len(answer.MachineList))
	for id := range answer.MachineList {
		if id > r.PageToken {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	page := &pb.ListResponse{}
	size := int(r.PageSize)
	if size > 0 && len(ids) > size {
		ids = ids[:size]
		page.NextPageToken = ids[size-1]
	}
	for _, id := range ids {
		page.Instances = append(page.Instances, &pb.Instance{ProviderId: id, MachineName: answer.MachineList[id]})
	}
	return page, nil
}

// A driver answers with the ids that it knows, without saying of which volume each is. So it is asked for
// one at a time; that costs no request to any cloud.
func (s *Server) GetVolumeIDs(ctx context.Context, r *pb.GetVolumeIDsRequest) (*pb.GetVolumeIDsResponse, error) {
	response := &pb.GetVolumeIDsResponse{VolumeIds: make([]string, len(r.VolumeSpecs))}
	for i, text := range r.VolumeSpecs {
		spec := &corev1.PersistentVolumeSpec{}
		if err := json.Unmarshal(text, spec); err != nil {
			return nil, status.Error(codes.InvalidArgument, "a volume's spec is not JSON")
		}
		answer, err := s.driver.GetVolumeIDs(ctx, &driver.GetVolumeIDsRequest{
			PVSpecs: []*corev1.PersistentVolumeSpec{spec},
		})
		if err != nil {
			return nil, statusOf(err, "")
		}
		if len(answer.VolumeIDs) > 0 {
			response.VolumeIds[i] = answer.VolumeIDs[0]
		}
	}
	return response, nil
}

// One call for a machine at a time: a client that lost an answer may ask again while the driver still works.
func (s *Server) begin(machine *pb.Machine) (func(), error) {
	key := machine.GetUid() + "/" + machine.GetProviderId()
	if machine.GetUid() != "" {
		key = machine.GetUid()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.busy[key] {
		return nil, status.Error(codes.Aborted, "another call for this machine is under way")
	}
	s.busy[key] = true
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		delete(s.busy, key)
	}, nil
}

func machineOf(m *pb.Machine, class *pb.MachineClass, state string) *v1alpha1.Machine {
	return &v1alpha1.Machine{
		ObjectMeta: metav1.ObjectMeta{Name: m.GetName(), Namespace: m.GetNamespace(), UID: types.UID(m.GetUid())},
		Spec: v1alpha1.MachineSpec{
			Class:      v1alpha1.ClassSpec{Kind: "MachineClass", Name: class.GetName()},
			ProviderID: m.GetProviderId(),
		},
		Status: v1alpha1.MachineStatus{LastKnownState: state},
	}
}

func classOf(c *pb.MachineClass) *v1alpha1.MachineClass {
	return &v1alpha1.MachineClass{
		ObjectMeta:   metav1.ObjectMeta{Name: c.GetName()},
		Provider:     c.GetProvider(),
		ProviderSpec: runtime.RawExtension{Raw: c.GetProviderSpec()},
	}
}

func (s *Server) secretOf(c *pb.MachineClass, secrets map[string][]byte, userData []byte) *corev1.Secret {
	data := make(map[string][]byte, len(secrets)+1)
	for key, value := range secrets {
		data[key] = value
	}
	if userData != nil {
		data["userData"] = userData
	} else if s.options.UserDataAlways {
		data["userData"] = []byte("#")
	}
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: c.GetName()}, Data: data}
}

func instanceOf(m *pb.Machine, id, node string, addresses []corev1.NodeAddress) *pb.Instance {
	instance := &pb.Instance{ProviderId: id, NodeName: node, MachineName: m.GetName(), MachineUid: m.GetUid()}
	for _, address := range addresses {
		instance.Addresses = append(instance.Addresses,
			&pb.Address{Type: string(address.Type), Address: address.Address})
	}
	return instance
}
