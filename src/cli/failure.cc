#include "cli/failure.h"

#include <cstdio>
#include <string>

#include "kube/api/status.h"
#include "kube/config/unusable_config.h"
#include "kube/connect/connection.h"
#include "net/request_error.h"

namespace millwright::cli {

namespace {

std::string_view HintFor(ExitCode code, const Error& error) {
  switch (code) {
    case ExitCode::kForbidden:
      return "ask whoever administers the cluster for that permission, or use another --context";
    case ExitCode::kUnreachable:
      if (error.detail<kube::StatusDetail>() != nullptr) {
        return "the server answers but is not ready: try again in a while";
      }
      return "is the server up, and is the address in the kubeconfig right?";
    case ExitCode::kUnauthenticated: return "renew the credentials in the kubeconfig";
    case ExitCode::kOk:
    case ExitCode::kFailed:
    case ExitCode::kUsage:
    case ExitCode::kBadKubeconfig:
    case ExitCode::kUnknownContext:
    case ExitCode::kUntrustedServer:
    case ExitCode::kNotKubernetes:
    case ExitCode::kUnknownResource:
    case ExitCode::kLostLease:
    case ExitCode::kInterruptedHard: return "";
  }
  return "";
}

ExitCode CodeForRequest(const Error& error) {
  // One that has expired is worth another try to a loop; to a person it is no silent server.
  if (error.detail<net::UntrustedServer>() != nullptr) return ExitCode::kUntrustedServer;
  switch (error.kind()) {
    case ErrorKind::kUnauthenticated: return ExitCode::kUnauthenticated;
    case ErrorKind::kPermission: return ExitCode::kForbidden;
    case ErrorKind::kUnavailable: return ExitCode::kUnreachable;
    case ErrorKind::kNotFound:
      return kube::IsMissingResourceType(error) ? ExitCode::kUnknownResource : ExitCode::kFailed;
    case ErrorKind::kAlreadyExists:
    case ErrorKind::kConflict:
    case ErrorKind::kExpired:
    case ErrorKind::kThrottled:
    case ErrorKind::kNoCapacity:
    case ErrorKind::kInDoubt:
    case ErrorKind::kInvalid:
    case ErrorKind::kCancelled:
    case ErrorKind::kInternal: return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

// A file or plugin that is not there is the kubeconfig's fault; a plugin that ran and gave us
// nothing usually wants somebody to log in.
ExitCode CodeForConfig(const Error& error) {
  return error.kind() == ErrorKind::kInvalid ? ExitCode::kBadKubeconfig
                                             : ExitCode::kUnauthenticated;
}

}  // namespace

ExitCode CodeFor(Stage stage, const Error& error) {
  switch (stage) {
    case Stage::kUsage: return ExitCode::kUsage;
    case Stage::kKubeconfig:
      return error.detail<kube::UnknownContext>() != nullptr ? ExitCode::kUnknownContext
                                                             : ExitCode::kBadKubeconfig;
    case Stage::kConnecting:
      if (error.detail<kube::NotKubernetes>() != nullptr) return ExitCode::kNotKubernetes;
      if (error.detail<kube::UnusableConfig>() != nullptr) return CodeForConfig(error);
      // Before anything was sent, what is invalid is the server's certificate.
      return error.kind() == ErrorKind::kInvalid ? ExitCode::kUntrustedServer
                                                 : CodeForRequest(error);
    case Stage::kRequest:
      return error.detail<kube::UnusableConfig>() != nullptr ? CodeForConfig(error)
                                                             : CodeForRequest(error);
    case Stage::kOutput: return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

ExitCode Report(Stage stage, const Error& error) {
  const ExitCode code = CodeFor(stage, error);
  const std::string_view hint = HintFor(code, error);
  std::fprintf(stderr, "millwright: %s%s%.*s\n", error.message().c_str(), hint.empty() ? "" : ": ",
               static_cast<int>(hint.size()), hint.data());
  return code;
}

}  // namespace millwright::cli
