// A cache of one kind that follows the server, and tells who asks about real changes.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kube/informer/store.h"
#include "kube/informer/write_guard.h"
#include "kube/watch/reflector.h"

namespace millwright::kube {

template <Projection T>
class Informer final : private ReflectorSink {
 public:
  using Decode = std::function<Result<T>(JsonObject)>;

  // Exactly one of them may be null: created, changed, deleted. A change of nothing but the
  // resource version, and the relisting of what is known, are not changes.
  using Handler = std::function<void(const T* before, const T* after)>;

  // An object that cannot be decoded, with the reason; the others go on.
  using BrokenHandler = std::function<void(const ObjectKey&, const std::string& reason)>;

  Informer(const Executor& executor, Client& client, Clock& clock, Random& random, Logger log,
           ReflectorOptions options, Decode decode)
      : decode_(std::move(decode)),
        log_(log),
        reflector_(client, clock, random, log, std::move(options), *this),
        synced_signal_(executor) {}

  // Before Run: nothing may be missed.
  void OnChange(Handler handler) { handlers_.push_back(std::move(handler)); }
  void OnBroken(BrokenHandler handler) { broken_handlers_.push_back(std::move(handler)); }
  const Index<T>& AddIndex(typename Index<T>::KeysOf keys_of) {
    return store_.AddIndex(std::move(keys_of));
  }

  // Runs until cancelled.
  Task<void> Run() { return reflector_.Run(); }

  const Store<T>& store() const { return store_; }
  WriteGuard& guard() { return guard_; }
  const ReflectorStats& stats() const { return reflector_.stats(); }

  // True once a whole state has been seen. It stays true: later the cache may be behind, but never
  // empty by accident.
  bool synced() const { return synced_; }

  Task<Wake> WaitSynced() {
    while (!synced_) {
      const Wake why = co_await synced_signal_.Wait();
      if (why == Wake::kCancelled) co_return why;
    }
    co_return Wake::kDone;
  }

 private:
  void BeginList() override {
    listed_.clear();
    listing_ = true;
    // What a first list finds needs no second record: all that is stored was in it.
    relisting_ = store_.size() > 0 || !store_.broken().empty();
  }

  void EndList(const ResourceVersion& version) override {
    listing_ = false;
    if (std::exchange(relisting_, false)) DropUnlisted();
    guard_.SeenAll(version);
    if (std::exchange(synced_, true)) return;
    log_.Info("cache synced", {{"objects", static_cast<std::int64_t>(store_.size())}});
    synced_signal_.NotifyAll();
  }

  void DropUnlisted() {
    std::vector<ObjectKey> gone;
    const auto note = [&](const auto& entry) {
      if (!listed_.contains(entry.first)) gone.push_back(entry.first);
    };
    std::for_each(store_.begin(), store_.end(), note);
    std::for_each(store_.broken().begin(), store_.broken().end(), note);
    for (const ObjectKey& key : gone) Drop(key);
    listed_ = {};
  }

  Result<ResourceVersion> Upsert(JsonObject object) override {
    Result<T> decoded = decode_(object);
    if (!decoded) return Reject(object, decoded.error());
    T after = *std::move(decoded);
    const ObjectKey key = after.meta.key;
    ResourceVersion version = after.meta.resource_version;
    if (relisting_) listed_.insert(key);
    Saw(key, version);
    Change(std::move(after));
    return version;
  }

  Result<ResourceVersion> Remove(JsonObject object) override {
    TRY(const Meta meta, MetaOf(object));
    Saw(meta.key, meta.resource_version);
    Drop(meta.key);
    return meta.resource_version;
  }

  void Progress(const ResourceVersion& version) override { guard_.SeenAll(version); }

  // Before handlers are told, so that what they wake may decide.
  void Saw(const ObjectKey& key, const ResourceVersion& version) {
    guard_.Seen(key, version);
    // A watch delivers in order; a list does not.
    if (!listing_) guard_.SeenAll(version);
  }

  void Change(T after) {
    const ObjectKey key = after.meta.key;
    const T* known = store_.Find(key);
    if (known != nullptr && SameButForVersion(*known, after)) {
      store_.Touch(key, after.meta.resource_version);
      return;
    }
    const std::optional<T> before = store_.Put(std::move(after));
    Tell(before ? &*before : nullptr, store_.Find(key));
  }

  // Equal content under a new version: a heartbeat that changed nothing we look at.
  static bool SameButForVersion(const T& known, T& after) {
    ResourceVersion version =
        std::exchange(after.meta.resource_version, known.meta.resource_version);
    const bool same = known == after;
    after.meta.resource_version = std::move(version);
    return same;
  }

  void Drop(const ObjectKey& key) {
    const std::optional<T> before = store_.Take(key);
    if (before) Tell(&*before, nullptr);
  }

  void Tell(const T* before, const T* after) {
    for (const Handler& handler : handlers_) handler(before, after);
  }

  Result<ResourceVersion> Reject(JsonObject object, const Error& error) {
    TRY(const Meta meta, MetaOf(object));
    if (relisting_) listed_.insert(meta.key);
    store_.MarkBroken(meta.key, error.message());
    Saw(meta.key, meta.resource_version);
    log_.Warning("object cannot be read",
                 {{"object", meta.key.ToString()}, {"error", error.message()}});
    for (const BrokenHandler& handler : broken_handlers_) handler(meta.key, error.message());
    return meta.resource_version;
  }

  static Result<Meta> MetaOf(JsonObject object) {
    if (const auto code = object.reset().error()) return Failure(JsonError(code));
    Meta meta;
    CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
      return key == "metadata" ? ReadInto(value, meta) : Result<void>();
    }));
    return meta;
  }

  const Decode decode_;
  Logger log_;
  Store<T> store_;
  WriteGuard guard_;
  std::vector<Handler> handlers_;
  std::vector<BrokenHandler> broken_handlers_;
  std::unordered_set<ObjectKey> listed_;  // since BeginList, while relisting
  bool listing_ = false;
  bool relisting_ = false;  // a list while something is stored
  bool synced_ = false;
  Reflector reflector_;
  Signal synced_signal_;
};

}  // namespace millwright::kube
