// A provider at an address: the connection to it, and the cloud that it is.
#pragma once

#include <filesystem>
#include <memory>

#include "net/http2_client.h"
#include "providers/grpc/address.h"
#include "providers/grpc/grpc_cloud.h"

namespace millwright::providers::grpc {

class RemoteProvider {
 public:
  struct Options {
    ProviderAddress address;
    // For https: a folder with ca.crt (who vouches for the provider), tls.crt and tls.key (who we
    // are), as a Secret of certificates is mounted. Read again when the provider has been away.
    std::filesystem::path certificates;
  };

  // Nobody is called yet. kInvalid for certificates that cannot be used.
  static Result<std::unique_ptr<RemoteProvider>> Create(const Executor& executor, Clock& clock,
                                                        Logger log, Options options);

  const std::string& name() const { return options_.address.name; }
  GrpcCloud& cloud() { return cloud_; }

 private:
  RemoteProvider(const Executor& executor, Clock& clock, Logger log, Options options,
                 std::unique_ptr<net::Http2Client> http);

  void RenewCertificates();

  const Options options_;
  const Logger log_;
  const std::unique_ptr<net::Http2Client> http_;
  GrpcCloud cloud_;
};

}  // namespace millwright::providers::grpc
