// What namespaces need: a service account and the authority's certificate at their beginning, and
// everything in them removed at their end.
#pragma once

#include <set>
#include <string>

#include <boost/json/value.hpp>

#include "apiserver/housekeeping/self.h"
#include "base/log.h"

namespace millwright::apiserver {

class NamespaceController {
 public:
  // `ca_certificate` goes into each namespace as the ConfigMap kube-root-ca.crt.
  NamespaceController(const Services& services, std::string ca_certificate, Logger log = {})
      : services_(services), ca_certificate_(std::move(ca_certificate)), log_(log) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  Task<void> Follow(Watcher watcher);
  Task<Result<void>> Tend(std::string name);
  Task<Result<void>> Furnish(const std::string& name);
  // True once nothing is left.
  Task<Result<bool>> Clear(const std::string& name);
  Task<Result<void>> Finish(const std::string& name);

  const Services& services_;
  const std::string ca_certificate_;
  Logger log_;
  std::set<std::string, std::less<>> ending_;
};

}  // namespace millwright::apiserver
