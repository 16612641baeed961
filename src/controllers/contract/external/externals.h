// Objects of providers that machines and clusters name. Each kind is watched from the moment it is
// first asked for, in the API version that its definition says keeps the contract.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/task_group.h"
#include "controllers/contract/external/external_cache.h"
#include "controllers/contract/external/owners.h"
#include "controllers/contract/shared/caches.h"
#include "core/lifecycle/contract.h"
#include "dialects/capi/contract.h"

namespace millwright::controllers::contract {

// A provider's kind, in whatever version.
struct ExternalKind {
  std::string group;
  std::string kind;

  friend auto operator<=>(const ExternalKind&, const ExternalKind&) = default;
};

inline ExternalKind KindOf(const capi::Reference& reference) {
  return {reference.group, reference.kind};
}

// Where a kind is served, and which contract it keeps.
struct ServedKind {
  kube::GroupVersionResource resource;
  capi::Contract contract;
};

// Whether the fields of an object make sense is asked in its role (capi::InfrastructureProblem and
// the like).
struct ExternalLook {
  core::ObjectState state = core::ObjectState::kNone;
  std::string why;    // it is unreadable
  bool soon = false;  // it is unreadable only until its kind was listed: the listener is told
  std::optional<capi::ExternalRecord> object;  // it was found
  std::optional<ServedKind> served;            // known unless it is unreadable for want of it
};

class Externals {
 public:
  // `before` or `after` may be null. Objects whose annotation says that they are paused tell
  // nothing.
  using Listener = std::function<void(const ExternalKind& kind, const capi::ExternalRecord* before,
                                      const capi::ExternalRecord* after)>;
  // The objects of that kind can be read now, or no longer, or mean something else.
  using KindListener = std::function<void(const ExternalKind& kind)>;

  // Before the caches run: it listens to definitions.
  Externals(Surroundings& surroundings, Caches& caches);
  ~Externals();

  // Before Run.
  void OnChange(Listener listener) { listeners_.push_back(std::move(listener)); }
  void OnKind(KindListener listener) { kind_listeners_.push_back(std::move(listener)); }

  // Before the caches run. Objects of that kind, as they are served there, are in a cache that its
  // owner runs, and are read from it; all outlive this's loops.
  template <std::derived_from<capi::ExternalRecord> Record>
  void Share(ExternalKind kind, kube::GroupVersionResource resource,
             kube::Informer<Record>& informer) {
    informer.OnChange([this, kind](const Record* before, const Record* after) {
      TellShared(kind, before, after);
    });
    shared_.insert_or_assign(
        std::move(kind),
        SharedCache{std::move(resource), std::make_shared<InformerCache<Record>>(informer)});
  }

  // From the cache. Absence of the kind is not absence of the object.
  ExternalLook Find(const capi::Reference& reference, const std::string& namespace_);

  // The same without a copy, for whoever looks through many of them: valid until the next wait.
  // Null if it is not there, or not known to be.
  const capi::ExternalRecord* Peek(const capi::Reference& reference, const std::string& namespace_);

  // All objects of a kind; null: they are not known yet.
  const ExternalCache* CacheOf(const ExternalKind& kind);
  kube::WriteGuard* GuardOf(const ExternalKind& kind);

  // Where a kind is served. kInvalid if it is not defined, or keeps no contract.
  Result<ServedKind> Lookup(const ExternalKind& kind) const;

  // From the server, for what is never watched (templates). None: it does not exist.
  Task<Result<std::optional<kube::Document>>> Get(capi::Reference reference,
                                                  std::string namespace_);

  // What a machine names becomes its own.
  Task<Result<void>> Own(capi::Reference reference, capi::ExternalRecord object,
                         OwnershipWish wish);

  // A merge patch of an object as it was seen; an empty one is no request.
  Task<Result<void>> Patch(capi::Reference reference, kube::Meta seen, boost::json::object patch);

  // The very object that was seen, if it was: kConflict for another one of its name, and, if a
  // version is given, for one that has changed since. One that is gone is success.
  Task<Result<void>> Delete(capi::Reference reference, std::string namespace_,
                            std::optional<Uid> seen,
                            std::optional<kube::ResourceVersion> unchanged_since = std::nullopt);

  // Runs until cancelled. Before it, kinds that are asked for are not watched yet.
  Task<void> Run();

 private:
  struct Watch;
  struct SharedCache {
    kube::GroupVersionResource resource;
    std::shared_ptr<ExternalCache> cache;
  };

  std::shared_ptr<Watch> MakeWatch(const ExternalKind& kind, const ServedKind& served);
  Watch* Begin(const ExternalKind& kind, const ServedKind& served);
  static Task<void> Live(Externals& self, std::shared_ptr<Watch> watch);
  Task<void> TellSynced(std::shared_ptr<Watch> watch);
  void TellShared(const ExternalKind& kind, const capi::ExternalRecord* before,
                  const capi::ExternalRecord* after);
  void Tell(const ExternalKind& kind, const capi::ExternalRecord* before,
            const capi::ExternalRecord* after);
  void Follow(const LabelledRecord* before, const LabelledRecord* after);
  void TellKind(const ExternalKind& kind);

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  std::vector<Listener> listeners_;
  std::vector<KindListener> kind_listeners_;
  std::map<ExternalKind, SharedCache> shared_;
  std::map<ExternalKind, std::shared_ptr<Watch>> watches_;
  mutable std::map<ExternalKind, ServedKind> served_;  // what definitions say, worked out
  bool running_ = false;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::contract
