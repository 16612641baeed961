package main

// The protocol's Go code. Needs protoc, protoc-gen-go and protoc-gen-go-grpc.
//go:generate protoc -I ../../src/providers/grpc --go_out=. --go_opt=module=millwright.dev/examples/provider-bridge --go_opt=Mmillwright/provider/v1/provider.proto=millwright.dev/examples/provider-bridge/providerv1 --go-grpc_out=. --go-grpc_opt=module=millwright.dev/examples/provider-bridge --go-grpc_opt=Mmillwright/provider/v1/provider.proto=millwright.dev/examples/provider-bridge/providerv1 millwright/provider/v1/provider.proto
