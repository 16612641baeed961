// Command millwright-driver is Millwright's way to the simulated cloud: a provider in a process of its own, by the protocol in
// src/providers/grpc. It reads that protocol when it starts, so there is no generated code to keep in step with it.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"

	"github.com/bufbuild/protocompile"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"millwright.dev/benchmarks/cloud/client"
)

func main() {
	protocols := flag.String("protocols", "", "the folder of the protocol's files")
	socket := flag.String("socket", "", "where to listen")
	flag.Parse()
	if err := run(*protocols, *socket); err != nil {
		fmt.Fprintln(os.Stderr, "millwright-driver:", err)
		os.Exit(1)
	}
}

func run(protocols, socket string) error {
	cloud, err := client.FromEnvironment()
	if err != nil {
		return err
	}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{protocols}})}
	files, err := compiler.Compile(context.Background(), "millwright/provider/v1/provider.proto")
	if err != nil {
		return err
	}
	_ = os.Remove(socket) // left by one that was killed
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	services, methods := files[0].Services(), methodsOf(cloud)
	for index := range services.Len() {
		server.RegisterService(describe(services.Get(index), methods), struct{}{})
	}
	return server.Serve(listener)
}

// describe says what generated code would say: which methods there are, and who answers them.
func describe(service protoreflect.ServiceDescriptor, methods map[string]method) *grpc.ServiceDesc {
	description := &grpc.ServiceDesc{ServiceName: string(service.FullName()), HandlerType: (*any)(nil)}
	all := service.Methods()
	for index := range all.Len() {
		found := all.Get(index)
		answer, ok := methods[string(found.Name())]
		if !ok {
			continue // gRPC says that it is not implemented
		}
		description.Methods = append(description.Methods, grpc.MethodDesc{
			MethodName: string(found.Name()),
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				asked, reply := dynamicpb.NewMessage(found.Input()), dynamicpb.NewMessage(found.Output())
				if err := decode(asked); err != nil {
					return nil, err
				}
				return reply, answer(ctx, message{asked}, message{reply})
			},
		})
	}
	return description
}
