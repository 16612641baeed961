// Providers in processes of their own, as the command line names them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/process.h"
#include "providers/grpc/remote_provider.h"

namespace millwright::cli {

struct ProviderFlags {
  std::vector<providers::grpc::RemoteProvider::Options> remote;
  std::string fallback;  // for classes whose own nobody serves; empty: none
};

// The values of --provider ("NAME=ADDRESS", or "NAME" for the fallback, of which the last counts)
// and of --provider-certs ("FOLDER", or "NAME=FOLDER"). kInvalid, naming what is wrong.
Result<ProviderFlags> ReadProviderFlags(const std::vector<std::string>& providers,
                                        const std::vector<std::string>& certificates);

using RemoteProviders = std::vector<std::unique_ptr<providers::grpc::RemoteProvider>>;

// Nobody is called yet. kInvalid for certificates that cannot be used.
Result<RemoteProviders> MakeProviders(const Process& process, const ProviderFlags& flags);

}  // namespace millwright::cli
