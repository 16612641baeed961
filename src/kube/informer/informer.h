// A cache of one kind that follows the server, and tells who asks about real changes.
#pragma once

#include <exception>
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

  // An object that cannot be decoded came, changed or went; the others go on. It is neither there
  // nor absent (Store::broken), so that Handler is not told when a known object becomes such.
  using BrokenHandler = std::function<void(const Unreadable&)>;

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
    for (Unreadable& object : found.unreadable) ShowBroken(std::move(object));
    for (const ObjectKey& key : found.GoneFrom(store_)) Drop(key);
  }

  Result<ResourceVersion> Upsert(JsonObject object) override {
    Result<T> decoded = Decoded(object);
    if (!decoded) return Reject(object, decoded.error());
    ResourceVersion version = decoded->meta.resource_version;
    if (relist_) {
      Collect(*std::move(decoded));
    } else {
      Show(*std::move(decoded));
    }
    return version;
  }

  // A decoder that throws has a bug, and costs that object only.
  Result<T> Decoded(JsonObject object) {
    try {
      return decode_(object);
    } catch (const std::exception& error) {
      return Fail(ErrorKind::kInternal, std::string("bug: cannot be decoded: ") + error.what());
    } catch (...) {
      return Fail(ErrorKind::kInternal, "bug: cannot be decoded");
    }
  }

  Result<ResourceVersion> Remove(JsonObject object) override {
    TRY(const Unreadable last, ReadIdentity(object));
    const Meta& meta = last.meta;
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
    if (const std::optional<Unreadable> broken = store_.TakeBroken(key)) TellBroken(*broken);
    const std::optional<T> before = store_.Take(key);
    if (before) Tell(&*before, nullptr);
  }

  void Tell(const T* before, const T* after) {
    for (const Handler& handler : handlers_) {
      Guarded([&] { handler(before, after); });
    }
  }

  void TellBroken(const Unreadable& object) {
    for (const BrokenHandler& handler : broken_handlers_) {
      Guarded([&] { handler(object); });
    }
  }

  // One listener's bug must not keep the change from the others, nor end the process.
  template <class Call>
  void Guarded(Call call) {
    try {
      call();
    } catch (const std::exception& error) {
      log_.Error("bug: a listener threw", {{"error", error.what()}});
    } catch (...) {
      log_.Error("bug: a listener threw");
    }
  }

  Result<ResourceVersion> Reject(JsonObject object, const Error& error) {
    TRY(Unreadable unreadable, ReadIdentity(object));
    unreadable.reason = error.message();
    ResourceVersion version = unreadable.meta.resource_version;
    if (relist_) {
      relist_->Forget(unreadable.meta.key);
      relist_->keys.insert(unreadable.meta.key);
      relist_->unreadable.push_back(std::move(unreadable));
    } else {
      ShowBroken(std::move(unreadable));
    }
    return version;
  }

  void ShowBroken(Unreadable object) {
    store_.MarkBroken(object);
    Saw(object.meta.key, object.meta.resource_version);
    log_.Warning("object cannot be read",
                 {{"object", object.meta.key.ToString()}, {"error", object.reason}});
    TellBroken(object);
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
