#include "controllers/contract/external/externals.h"

#include <boost/json.hpp>

namespace millwright::controllers::contract {

using capi::ExternalRecord;
using core::ObjectState;

using OwnInformer = kube::Informer<ExternalRecord>;

// One kind that is followed, begun and ended while the rest goes on.
struct Externals::Watch {
  Watch(const Executor& executor, ExternalKind kind, ServedKind served)
      : kind(std::move(kind)), served(std::move(served)), stop(executor) {}

  const ExternalKind kind;
  const ServedKind served;
  std::unique_ptr<OwnInformer> own;  // none: somebody else runs the cache
  std::shared_ptr<ExternalCache> cache;
  bool stopped = false;
  bool started = false;
  Signal stop;
};

Externals::Externals(Surroundings& surroundings, Caches& caches)
    : surroundings_(surroundings),
      caches_(caches),
      log_(surroundings.log.For("contract.external")),
      tasks_(surroundings.executor) {
  caches_.definitions.OnChange(
      [this](const LabelledRecord* before, const LabelledRecord* after) { Follow(before, after); });
}

Externals::~Externals() = default;

Result<ServedKind> Externals::Lookup(const ExternalKind& kind) const {
  if (const auto known = served_.find(kind); known != served_.end()) return known->second;
  const std::string name = capi::DefinitionName(kind.kind, kind.group);
  const LabelledRecord* definition = caches_.definitions.store().Find({{}, name});
  if (definition == nullptr) {
    return Fail(ErrorKind::kInvalid, "there is no definition " + name);
  }
  TRY(capi::Contract contract, capi::ChooseContract(definition->labels));
  const ServedKind served{{kind.group, contract.version, capi::Plural(kind.kind)}, contract};
  served_.emplace(kind, served);
  return served;
}

std::shared_ptr<Externals::Watch> Externals::MakeWatch(const ExternalKind& kind,
                                                       const ServedKind& served) {
  Surroundings& s = surroundings_;
  auto watch = std::make_shared<Watch>(s.executor, kind, served);
  const auto shared = shared_.find(kind);
  if (shared != shared_.end() && shared->second.resource == served.resource) {
    watch->cache = shared->second.cache;
    return watch;
  }
  watch->own = std::make_unique<OwnInformer>(
      s.executor, s.management, s.clock, s.random, s.log.For("contract.external"),
      kube::ReflectorOptions{.resource = served.resource, .namespace_ = s.settings.namespace_},
      [&reader = caches_.reader()](kube::JsonObject object) { return reader.External(object); });
  watch->own->OnChange(
      [this, of = watch.get()](const ExternalRecord* before, const ExternalRecord* after) {
        if (!of->stopped) Tell(of->kind, before, after);
      });
  watch->cache = std::make_shared<InformerCache<ExternalRecord>>(*watch->own);
  return watch;
}

void Externals::TellShared(const ExternalKind& kind, const ExternalRecord* before,
                           const ExternalRecord* after) {
  const auto watch = watches_.find(kind);
  const bool followed = watch != watches_.end() && watch->second != nullptr;
  if (followed && watch->second->own == nullptr) Tell(kind, before, after);
}

void Externals::Tell(const ExternalKind& kind, const ExternalRecord* before,
                     const ExternalRecord* after) {
  if (after != nullptr && after->annotations.contains(capi::annotations::kPaused)) return;
  for (const Listener& listener : listeners_) listener(kind, before, after);
}

Externals::Watch* Externals::Begin(const ExternalKind& kind, const ServedKind& served) {
  std::shared_ptr<Watch>& watch = watches_[kind];
  if (watch != nullptr && watch->served.resource != served.resource) {
    watch->stopped = true;
    watch->stop.NotifyAll();
    watch = nullptr;
  }
  if (watch == nullptr) watch = MakeWatch(kind, served);
  if (running_ && !std::exchange(watch->started, true)) {
    tasks_.Spawn([this, watch] { return Live(*this, watch); });
  }
  return watch.get();
}

Task<void> Externals::Live(Externals& self, std::shared_ptr<Watch> watch) {
  TaskGroup tasks(self.surroundings_.executor);
  if (watch->own) tasks.Spawn([&watch] { return watch->own->Run(); });
  tasks.Spawn([&] { return self.TellSynced(watch); });
  while (!watch->stopped) {
    if (co_await watch->stop.Wait() == Wake::kCancelled) break;
  }
  tasks.Cancel();
  co_await tasks.Join();
}

Task<void> Externals::TellSynced(std::shared_ptr<Watch> watch) {
  if (co_await watch->cache->WaitSynced() == Wake::kCancelled) co_return;
  if (!watch->stopped) TellKind(watch->kind);
}

void Externals::TellKind(const ExternalKind& kind) {
  for (const KindListener& listener : kind_listeners_) listener(kind);
}

// A definition came, went, or says something else about its versions.
void Externals::Follow(const LabelledRecord* before, const LabelledRecord* after) {
  if (before != nullptr && after != nullptr && before->labels == after->labels) return;
  served_.clear();
  const std::string& name = (after != nullptr ? after : before)->meta.key.name;
  for (auto it = watches_.begin(); it != watches_.end();) {
    const ExternalKind kind = it->first;
    if (capi::DefinitionName(kind.kind, kind.group) != name) {
      ++it;
      continue;
    }
    if (after == nullptr && it->second != nullptr) {
      it->second->stopped = true;
      it->second->stop.NotifyAll();
      it = watches_.erase(it);
    } else {
      ++it;
    }
    TellKind(kind);
  }
}

ExternalLook Externals::Find(const capi::Reference& reference, const std::string& namespace_) {
  ExternalLook look;
  if (!reference.defined()) return look;
  look.state = ObjectState::kUnreadable;
  const ExternalKind kind = KindOf(reference);
  Result<ServedKind> served = Lookup(kind);
  if (!served) {
    look.why = served.error().message();
    // Whoever asked is told when there is a definition.
    watches_.try_emplace(kind);
    return look;
  }
  look.served = *served;
  const Watch* watch = Begin(kind, *served);
  const ExternalCache& cache = *watch->cache;
  if (!cache.synced()) {
    look.why = served->resource.ToString() + " are not listed yet";
    look.soon = true;
    return look;
  }
  const kube::ObjectKey key{namespace_, reference.name};
  if (const std::string* why = cache.WhyBroken(key)) {
    look.why = *why;
    return look;
  }
  const ExternalRecord* found = cache.Find(key);
  if (found == nullptr) {
    look.state = ObjectState::kMissing;
    return look;
  }
  look.object = *found;
  look.state = ObjectState::kFound;
  return look;
}

const ExternalRecord* Externals::Peek(const capi::Reference& reference,
                                      const std::string& namespace_) {
  if (!reference.defined()) return nullptr;
  const ExternalCache* cache = CacheOf(KindOf(reference));
  return cache == nullptr ? nullptr : cache->Find({namespace_, reference.name});
}

const ExternalCache* Externals::CacheOf(const ExternalKind& kind) {
  const Result<ServedKind> served = Lookup(kind);
  if (!served) return nullptr;
  const Watch* watch = Begin(kind, *served);
  return watch->cache->synced() ? watch->cache.get() : nullptr;
}

kube::WriteGuard* Externals::GuardOf(const ExternalKind& kind) {
  const auto watch = watches_.find(kind);
  return watch == watches_.end() || watch->second == nullptr ? nullptr
                                                             : &watch->second->cache->guard();
}

Task<Result<std::optional<kube::Document>>> Externals::Get(capi::Reference reference,
                                                           std::string namespace_) {
  CO_TRY(const ServedKind served, Lookup(KindOf(reference)));
  co_return co_await surroundings_.management.Find(served.resource, {namespace_, reference.name});
}

Task<Result<void>> Externals::Own(capi::Reference reference, ExternalRecord object,
                                  OwnershipWish wish) {
  CO_TRY(const auto change, PlanOwnership(object, wish));
  if (!change) co_return Ok();
  co_return co_await Patch(std::move(reference), object.meta, OwnershipPatch(*change));
}

Task<Result<void>> Externals::Patch(capi::Reference reference, kube::Meta seen,
                                    boost::json::object patch) {
  if (patch.empty()) co_return Ok();
  CO_TRY(const ServedKind served, Lookup(KindOf(reference)));
  // Lists in it are replaced whole: only if nobody wrote in between.
  boost::json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.as_object()["uid"] = seen.uid.str();
  metadata.as_object()["resourceVersion"] = seen.resource_version.str();
  CO_TRY(const kube::Document written,
         co_await surroundings_.management.Patch(served.resource, seen.key, kube::PatchKind::kMerge,
                                                 boost::json::serialize(patch)));
  CO_TRY(const kube::Meta now, written.ReadMeta());
  if (kube::WriteGuard* guard = GuardOf(KindOf(reference))) {
    guard->Expect(now.key, now.resource_version);
  }
  co_return Ok();
}

Task<Result<void>> Externals::Delete(capi::Reference reference, std::string namespace_,
                                     std::optional<Uid> seen,
                                     std::optional<kube::ResourceVersion> unchanged_since) {
  CO_TRY(const ServedKind served, Lookup(KindOf(reference)));
  kube::DeleteOptions only_if{.uid = std::move(seen)};
  if (unchanged_since) only_if.resource_version = unchanged_since->str();
  co_return co_await surroundings_.management.Delete(served.resource, {namespace_, reference.name},
                                                     std::move(only_if));
}

Task<void> Externals::Run() {
  running_ = true;
  for (const auto& [kind, watch] : watches_) {
    if (watch == nullptr || std::exchange(watch->started, true)) continue;
    tasks_.Spawn([this, watch] { return Live(*this, watch); });
  }
  co_await UntilCancelled();
  running_ = false;
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::controllers::contract
