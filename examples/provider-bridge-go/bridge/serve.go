package bridge

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	pb "millwright.dev/examples/provider-bridge/providerv1"
)

// Serve serves the driver at unix:///PATH, or at HOST:PORT with the certificates in a folder (ca.crt, tls.crt,
// tls.key; only clients that show one of that authority are heard), until the context ends.
func Serve(ctx context.Context, d driver.Driver, options Options, address, certificates string) error {
	listener, secure, err := listen(address, certificates)
	if err != nil {
		return err
	}
	server := grpc.NewServer(secure...)
	services := New(d, options)
	pb.RegisterIdentityServer(server, services)
	pb.RegisterMachinesServer(server, services)
	go func() {
		<-ctx.Done()
		server.GracefulStop()
	}()
	return server.Serve(listener)
}

func listen(address, certificates string) (net.Listener, []grpc.ServerOption, error) {
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		// One that a killed predecessor left would be in the way.
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, err
		}
		listener, err := net.Listen("unix", path)
		if err != nil {
			return nil, nil, err
		}
		// Whoever may open the socket may use the credentials that travel through it.
		return listener, nil, os.Chmod(path, 0o600)
	}
	config, err := mutualTLS(certificates)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", address)
	return listener, []grpc.ServerOption{grpc.Creds(credentials.NewTLS(config))}, err
}

func mutualTLS(folder string) (*tls.Config, error) {
	if folder == "" {
		return nil, errors.New("TCP needs certificates")
	}
	own, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s/ca.crt: no certificate in it", folder)
	}
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{own},
		ClientCAs:    clients,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}
