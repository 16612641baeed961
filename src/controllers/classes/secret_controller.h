// Keeps secrets from being deleted while classes use them. Only their metadata are watched.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "controllers/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

struct SecretRecord {
  kube::Meta meta;
  std::vector<std::string> finalizers;

  friend bool operator==(const SecretRecord&, const SecretRecord&) = default;
};

class SecretController {
 public:
  SecretController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run();
  kube::Controller& controller() { return controller_; }

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<void> RunController();
  void Follow(const std::string& field_selector);
  kube::Informer<SecretRecord>* CacheWith(const kube::ObjectKey& key);

  Surroundings& surroundings_;
  Caches& caches_;
  // One for all of the namespace, or one for each name that we were given: rights can name Secrets
  // only if each is listed and watched by itself.
  std::deque<kube::Informer<SecretRecord>> secrets_;
  kube::Controller controller_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers
