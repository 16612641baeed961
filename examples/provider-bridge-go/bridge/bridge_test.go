package bridge

import (
	"context"
	"fmt"
	"testing"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	drivercodes "github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	driverstatus "github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "millwright.dev/examples/provider-bridge/providerv1"
)

// fake answers as it is told, and keeps what it was asked.
type fake struct {
	driver.Driver
	created *driver.CreateMachineRequest
	err     error
	list    map[string]string
}

func (f *fake) CreateMachine(_ context.Context, r *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	f.created = r
	return &driver.CreateMachineResponse{ProviderID: "x:///1", NodeName: "n", LastKnownState: "half"}, f.err
}

func (f *fake) DeleteMachine(context.Context, *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	return nil, f.err
}

func (f *fake) GetMachineStatus(context.Context, *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	return &driver.GetMachineStatusResponse{ProviderID: "x:///1", NodeName: "n"}, f.err
}

func (f *fake) ListMachines(context.Context, *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	return &driver.ListMachinesResponse{MachineList: f.list}, nil
}

func (f *fake) GetVolumeIDs(_ context.Context, r *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	ids := []string{}
	for _, spec := range r.PVSpecs {
		if spec.CSI != nil {
			ids = append(ids, spec.CSI.VolumeHandle)
		}
	}
	return &driver.GetVolumeIDsResponse{VolumeIDs: ids}, nil
}

func request() *pb.CreateRequest {
	return &pb.CreateRequest{
		Machine:      &pb.Machine{Uid: "u", Name: "m", Namespace: "shoot"},
		MachineClass: &pb.MachineClass{Name: "small", Provider: "X", ProviderSpec: []byte(`{"a":1}`)},
		Secrets:      map[string][]byte{"token": []byte("hush")},
		UserData:     []byte("#!"),
	}
}

func TestADriverSeesWholeObjects(t *testing.T) {
	f := &fake{}
	answer, err := New(f, Options{}).Create(context.Background(), request())
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.GetInstance(); got.ProviderId != "x:///1" || got.NodeName != "n" || got.MachineUid != "u" {
		t.Errorf("instance is %v", got)
	}
	r := f.created
	if r.Machine.Name != "m" || r.Machine.Namespace != "shoot" || string(r.Machine.UID) != "u" || r.Machine.Spec.Class.Name != "small" {
		t.Errorf("machine is %v", r.Machine)
	}
	if r.MachineClass.Provider != "X" || string(r.MachineClass.ProviderSpec.Raw) != `{"a":1}` {
		t.Errorf("class is %v", r.MachineClass)
	}
	if string(r.Secret.Data["token"]) != "hush" || string(r.Secret.Data["userData"]) != "#!" {
		t.Error("the secret is not whole")
	}
}

func TestAFailedCreationKeepsItsState(t *testing.T) {
	f := &fake{err: driverstatus.Error(drivercodes.ResourceExhausted, "no room")}
	_, err := New(f, Options{}).Create(context.Background(), request())
	got := status.Convert(err)
	if got.Code() != codes.ResourceExhausted || got.Message() != "no room" {
		t.Errorf("status is %v", got)
	}
	if details := got.Details(); len(details) != 1 || details[0].(*pb.ErrorDetail).GetLastKnownState() != "half" {
		t.Errorf("details are %v", details)
	}
}

func TestCodes(t *testing.T) {
	for code, want := range map[drivercodes.Code]codes.Code{
		drivercodes.Uninitialized: codes.FailedPrecondition, drivercodes.NotFound: codes.NotFound,
		drivercodes.Unavailable: codes.Unavailable, drivercodes.Unauthenticated: codes.Unauthenticated,
	} {
		if got := codeOf(driverstatus.Error(code, "")); got != want {
			t.Errorf("%v is %v, not %v", code, got, want)
		}
	}
	if got := codeOf(fmt.Errorf("odd")); got != codes.Unknown {
		t.Errorf("an error without code is %v", got)
	}
}

func TestNotInitializedIsAField(t *testing.T) {
	f := &fake{err: driverstatus.Error(drivercodes.Uninitialized, "not yet")}
	answer, err := New(f, Options{}).GetStatus(context.Background(), &pb.GetStatusRequest{Machine: &pb.Machine{Name: "m"}})
	if err != nil || !answer.Instance.NeedsInitialize || answer.Instance.ProviderId != "x:///1" {
		t.Errorf("answer is %v, %v", answer, err)
	}
}

func TestDeletingWhatIsNotThereIsSuccess(t *testing.T) {
	f := &fake{err: driverstatus.Error(drivercodes.NotFound, "gone")}
	if _, err := New(f, Options{}).Delete(context.Background(), &pb.DeleteRequest{Machine: &pb.Machine{Uid: "u"}}); err != nil {
		t.Error(err)
	}
	f.err = driverstatus.Error(drivercodes.Unavailable, "away")
	_, err := New(f, Options{}).Delete(context.Background(), &pb.DeleteRequest{Machine: &pb.Machine{Uid: "u"}})
	if status.Code(err) != codes.Unavailable {
		t.Error(err)
	}
}

func TestPagesHaveEverythingOnce(t *testing.T) {
	f := &fake{list: map[string]string{}}
	for i := range 25 {
		f.list[fmt.Sprintf("x:///%02d", i)] = fmt.Sprintf("m-%d", i)
	}
	s, seen, token := New(f, Options{}), map[string]string{}, ""
	for pages := 1; ; pages++ {
		page, err := s.List(context.Background(), &pb.ListRequest{PageSize: 10, PageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range page.Instances {
			seen[instance.ProviderId] = instance.MachineName
		}
		if token = page.NextPageToken; token == "" {
			if pages != 3 || fmt.Sprint(seen) != fmt.Sprint(f.list) {
				t.Errorf("%d pages with %v", pages, seen)
			}
			return
		}
	}
}

func TestVolumesKeepTheirPlaces(t *testing.T) {
	answer, err := New(&fake{}, Options{}).GetVolumeIDs(context.Background(), &pb.GetVolumeIDsRequest{
		VolumeSpecs: [][]byte{[]byte(`{}`), []byte(`{"csi":{"volumeHandle":"v"}}`)},
	})
	if err != nil || len(answer.VolumeIds) != 2 || answer.VolumeIds[0] != "" || answer.VolumeIds[1] != "v" {
		t.Errorf("answer is %v, %v", answer, err)
	}
}

func TestOneCallForAMachineAtATime(t *testing.T) {
	s := New(&fake{}, Options{})
	done, err := s.begin(&pb.Machine{Uid: "u"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.begin(&pb.Machine{Uid: "u"}); status.Code(err) != codes.Aborted {
		t.Error(err)
	}
	if _, err := s.begin(&pb.Machine{Uid: "other"}); err != nil {
		t.Error(err)
	}
	done()
	if _, err := s.begin(&pb.Machine{Uid: "u"}); err != nil {
		t.Error(err)
	}
}
