package bridge

import (
	"context"
	"errors"

	drivercodes "github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	driverstatus "github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "millwright.dev/examples/provider-bridge/providerv1"
)

func driverCode(err error) drivercodes.Code {
	if s, ok := driverstatus.FromError(err); ok {
		return s.Code()
	}
	return drivercodes.Unknown
}

func isUninitialized(err error) bool {
	return err != nil && driverCode(err) == drivercodes.Uninitialized
}

// A driver's codes are those of gRPC and one more, which only means "not yet".
func codeOf(err error) codes.Code {
	if errors.Is(err, context.DeadlineExceeded) {
		return codes.DeadlineExceeded
	}
	code := driverCode(err)
	if code == drivercodes.Uninitialized {
		return codes.FailedPrecondition
	}
	return codes.Code(code)
}

func statusOf(err error, state string) error {
	message := err.Error()
	if s, ok := driverstatus.FromError(err); ok {
		message = s.Message()
	}
	result := status.New(codeOf(err), message)
	if state == "" {
		return result.Err()
	}
	detailed, failed := result.WithDetails(&pb.ErrorDetail{LastKnownState: &state})
	if failed != nil {
		return result.Err()
	}
	return detailed.Err()
}
