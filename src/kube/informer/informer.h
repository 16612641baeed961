// A cache of one kind that follows the server, and tells who asks about real changes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kube/informer/relist.h"
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
  void StartOver() override {
    store_.ForgetVersions();
    guard_ = {};
  }

  void BeginList() override {
    listing_ = true;
    relist_.reset();
    // A first list may be shown as it comes. It is not the first if one before it stopped half-way.
    if (synced_ || store_.size() > 0 || !store_.broken().empty()) relist_.emplace();
  }

  void EndList(const ResourceVersion& version) override {
    guard_.SeenAll(version);
    if (relist_) ShowRelisted();
    listing_ = false;
    if (std::exchange(synced_, true)) return;
    log_.Info("cache synced", {{"objects", static_cast<std::int64_t>(store_.size())}});
    synced_signal_.NotifyAll();
  }

  void ShowRelisted() {
    Relist<T> found = *std::exchange(relist_, std::nullopt);
    for (T& object : found.changed) Show(std::move(object));
    for (const Unreadable& object : found.unreadable) ShowBroken(object);
    for (const ObjectKey& key : found.GoneFrom(store_)) Drop(key);
  }

  Result<ResourceVersion> Upsert(JsonObject object) override {
    Result<T> decoded = decode_(object);
    if (!decoded) return Reject(object, decoded.error());
    ResourceVersion version = decoded->meta.resource_version;
    if (relist_) {
      Collect(*std::move(decoded));
    } else {
      Show(*std::move(decoded));
    }
    return version;
  }

  Result<ResourceVersion> Remove(JsonObject object) override {
    TRY(const Meta meta, MetaOf(object));
    Saw(meta.key, meta.resource_version);
    if (relist_) relist_->Forget(meta.key);
    const T* known = store_.Find(meta.key);
    if (known == nullptr || !IsOlder(meta, known->meta)) Drop(meta.key);
    return meta.resource_version;
  }

  void Progress(const ResourceVersion& version) override { guard_.SeenAll(version); }

  // Before handlers are told, so that what they wake may decide.
  void Saw(const ObjectKey& key, const ResourceVersion& version) {
    // A list says so at its end, for all at once.
    if (!listing_) guard_.Seen(key, version);
  }

  void Collect(T after) {
    relist_->Forget(after.meta.key);
    relist_->keys.insert(after.meta.key);
    const T* known = store_.Find(after.meta.key);
    if (known != nullptr && IsOlder(after.meta, known->meta)) return;
    if (known != nullptr && SameButForVersion(*known, after)) {
      store_.Touch(after.meta.key, after.meta.resource_version);
    } else {
      relist_->changed.push_back(std::move(after));
    }
  }

  void Show(T after) {
    const ObjectKey key = after.meta.key;
    Saw(key, after.meta.resource_version);
    const T* known = store_.Find(key);
    if (known != nullptr && IsOlder(after.meta, known->meta)) return;
    if (known != nullptr && SameButForVersion(*known, after)) {
      store_.Touch(key, after.meta.resource_version);
      return;
    }
    const std::optional<T> before = store_.Put(std::move(after));
    Tell(before ? &*before : nullptr, store_.Find(key));
  }

  // A repeated or late event about what has moved on since.
  static bool IsOlder(const Meta& arrived, const Meta& known) {
    return CompareResourceVersions(arrived.resource_version, known.resource_version) ==
           std::partial_ordering::less;
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
    Unreadable unreadable{meta.key, meta.resource_version, error.message()};
    if (relist_) {
      relist_->Forget(meta.key);
      relist_->keys.insert(meta.key);
      relist_->unreadable.push_back(std::move(unreadable));
    } else {
      ShowBroken(unreadable);
    }
    return meta.resource_version;
  }

  void ShowBroken(const Unreadable& object) {
    store_.MarkBroken(object.key, object.reason);
    Saw(object.key, object.version);
    log_.Warning("object cannot be read",
                 {{"object", object.key.ToString()}, {"error", object.reason}});
    for (const BrokenHandler& handler : broken_handlers_) handler(object.key, object.reason);
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
  bool listing_ = false;
  std::optional<Relist<T>> relist_;  // a list while an earlier state is shown
  bool synced_ = false;
  Reflector reflector_;
  Signal synced_signal_;
};

}  // namespace millwright::kube
