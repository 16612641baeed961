// Pages that not everybody may see: the API server is asked who a token is of, and whether they may
// get that path, as controller-runtime does for /metrics.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "kube/client/client.h"
#include "net/server_handler.h"

namespace millwright::cli {

class GuardedPages final : public net::Handler {
 public:
  // All outlive it.
  GuardedPages(net::Handler& pages, kube::Client& client, Clock& clock)
      : pages_(pages), client_(client), clock_(clock) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  enum class Verdict { kAllowed, kUnknown, kForbidden };
  struct Known {
    Verdict verdict;
    SteadyTime until;
  };

  Task<Result<Verdict>> Judge(std::string token, std::string path);
  Task<Result<Verdict>> Ask(const std::string& token, const std::string& path);

  net::Handler& pages_;
  kube::Client& client_;
  Clock& clock_;
  std::map<std::string, Known> known_;  // by a digest of token and path
};

}  // namespace millwright::cli
