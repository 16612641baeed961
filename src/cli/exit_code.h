// What each exit code of the program means; scripts may rely on them.
#pragma once

#include <string_view>

namespace millwright::cli {

enum class ExitCode : int {
  kOk = 0,
  kFailed = 1,            // anything that has no code of its own
  kUsage = 2,             // the command line makes no sense
  kBadKubeconfig = 3,     // it cannot be read, or says something impossible
  kUnknownContext = 4,    // the kubeconfig has no such context
  kUntrustedServer = 5,   // its certificate is not from the CA we were given
  kUnauthenticated = 6,   // our certificate or token is expired or refused
  kForbidden = 7,         // we are known but may not do this
  kNotKubernetes = 8,     // something answers, but it is not a Kubernetes API
  kUnreachable = 9,       // nothing answers
  kUnknownResource = 10,  // this server has no such kind
  kLostLease = 11,        // another process leads now
  kInterruptedHard = 12,  // stopping took too long, or was asked for twice
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

// For --help and the docs.
inline constexpr ExitCodeMeaning kExitCodes[] = {
    {ExitCode::kOk, "success"},
    {ExitCode::kFailed, "any other failure"},
    {ExitCode::kUsage, "wrong usage"},
    {ExitCode::kBadKubeconfig, "kubeconfig unreadable or wrong"},
    {ExitCode::kUnknownContext, "no such context in the kubeconfig"},
    {ExitCode::kUntrustedServer, "the server's certificate is not trusted"},
    {ExitCode::kUnauthenticated, "our credentials are expired or refused"},
    {ExitCode::kForbidden, "not permitted"},
    {ExitCode::kNotKubernetes, "the server is not a Kubernetes API"},
    {ExitCode::kUnreachable, "the server cannot be reached"},
    {ExitCode::kUnknownResource, "the server has no such resource"},
    {ExitCode::kLostLease, "another process became leader"},
    {ExitCode::kInterruptedHard, "stopped before everything had ended"},
};

}  // namespace millwright::cli
