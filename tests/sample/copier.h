// A controller small enough to read in a minute, for tests and as an example (it is no product).
//
// For each ConfigMap with the label `copy=wanted` it keeps a second one, `<name>-copy`, with the
// same data and owned by the first, so that it goes with it.
#pragma once

#include <map>
#include <string>

#include "kube/informer/informer.h"
#include "kube/runtime/controller.h"

namespace millwright::sample {

// What the copier needs to know of a ConfigMap.
struct ConfigMap {
  kube::Meta meta;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> data;

  bool IsWanted() const;
  friend bool operator==(const ConfigMap&, const ConfigMap&) = default;
};

Result<ConfigMap> DecodeConfigMap(kube::JsonObject object);

class Copier {
 public:
  Copier(const Executor& executor, kube::Client& client, Clock& clock, Random& random, Log& log,
         std::string name_space, std::size_t workers = 10);

  // Runs until cancelled.
  Task<void> Run();

  kube::Informer<ConfigMap>& informer() { return informer_; }
  kube::Controller& controller() { return controller_; }

  // Writes that were sent; at rest it must not grow.
  int writes() const { return writes_; }

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<void> RunController();

  kube::Client& client_;
  kube::Informer<ConfigMap> informer_;
  kube::Controller controller_;
  int writes_ = 0;
  TaskGroup tasks_;
};

}  // namespace millwright::sample
