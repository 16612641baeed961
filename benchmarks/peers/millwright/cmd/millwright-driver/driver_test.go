package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

const protocols = "../../../../../src/providers/grpc"

// call sends one request as Millwright does.
func call(t *testing.T, socket, service, name string, fill func(message)) (message, error) {
	t.Helper()
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{protocols}})}
	files, err := compiler.Compile(context.Background(), "millwright/provider/v1/provider.proto")
	if err != nil {
		t.Fatal(err)
	}
	found := files[0].Services().ByName(protoreflect.Name(service)).Methods().ByName(protoreflect.Name(name))
	asked, reply := dynamicpb.NewMessage(found.Input()), dynamicpb.NewMessage(found.Output())
	fill(message{asked})
	connection, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	path := "/millwright.provider.v1." + service + "/" + name
	return message{reply}, connection.Invoke(context.Background(), path, asked, reply, grpc.WaitForReady(true))
}

func TestCallsBecomeRequests(t *testing.T) {
	made := false
	mux := http.NewServeMux()
	mux.HandleFunc("POST /vms", func(w http.ResponseWriter, _ *http.Request) {
		made = true
		_, _ = w.Write([]byte(`{"id": "simulated:///1", "name": "a"}`))
	})
	cloud := httptest.NewServer(mux) // knows no other path, so every look finds nothing
	defer cloud.Close()
	t.Setenv("SIMULATED_CLOUD", cloud.URL)
	socket := filepath.Join(t.TempDir(), "driver")
	go func() { _ = run(protocols, socket) }()

	machine := func(asked message) { asked.within("machine").setText("name", "a") }
	if _, err := call(t, socket, "Machines", "GetStatus", machine); status.Code(err) != codes.NotFound {
		t.Errorf("a machine without a VM: %v", err)
	}
	reply, err := call(t, socket, "Machines", "Create", machine)
	if err != nil || !made || reply.within("instance").text("provider_id") != "simulated:///1" {
		t.Errorf("create: %v %v", reply, err)
	}
	if _, err := call(t, socket, "Machines", "Delete", machine); err != nil {
		t.Errorf("one that is gone is deleted well: %v", err)
	}
	reply, err = call(t, socket, "Identity", "GetCapabilities", func(message) {})
	if err != nil || reply.Get(reply.field("capabilities")).List().Len() != 2 {
		t.Errorf("capabilities: %v %v", reply, err)
	}
	if _, err := call(t, socket, "Machines", "Initialize", machine); status.Code(err) != codes.Unimplemented {
		t.Errorf("a method without its capability: %v", err)
	}
}
