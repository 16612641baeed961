// What an informer has seen: one projection per object, found by key or by index.
//
// Absence here proves nothing by itself: the store may be behind, and an object that could not be
// decoded is kept apart (broken()), not dropped.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/text.h"
#include "kube/projection/meta.h"

namespace millwright::kube {

// The fields that a controller needs of a kind. Compared to tell real changes from noise.
template <class T>
concept Projection = std::equality_comparable<T> && requires(T t) {
  { t.meta } -> std::convertible_to<Meta&>;
};

// Objects under text keys that are computed from them (owner UID, provider ID, node name).
template <Projection T>
class Index {
 public:
  using Keys = std::vector<Text>;
  using KeysOf = std::function<void(const T&, Keys& keys)>;

  explicit Index(KeysOf keys_of) : keys_of_(std::move(keys_of)) {}

  // Valid until the store changes.
  std::span<const T* const> Find(std::string_view key) const {
    const auto it = entries_.find(key);
    if (it == entries_.end()) return {};
    return {it->second.data(), it->second.size()};
  }

  void Insert(const T& object) {
    for (Text& key : KeysOfObject(object)) entries_[std::move(key)].push_back(&object);
  }

  void Erase(const T& object) { Erase(KeysOfObject(object), object); }

  // The object was as `before`. Mostly its keys are what they were, and nothing has to be done.
  void Update(const T& before, const T& object) {
    const Keys old_keys = KeysOfObject(before);
    const Keys new_keys = KeysOfObject(object);
    if (old_keys == new_keys) return;
    Erase(old_keys, object);
    Insert(object);
  }

 private:
  // Many keys have one object only (a node its machine).
  using Objects = boost::container::small_vector<const T*, 1>;

  struct ByContent {
    using is_transparent = void;
    std::size_t operator()(std::string_view a) const { return std::hash<std::string_view>()(a); }
    bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  };

  Keys KeysOfObject(const T& object) const {
    Keys keys;
    keys_of_(object, keys);
    return keys;
  }

  void Erase(const Keys& keys, const T& object) {
    for (const Text& key : keys) {
      const auto it = entries_.find(key);
      if (it == entries_.end()) continue;
      Objects& objects = it->second;
      objects.erase(std::ranges::remove(objects, &object).begin(), objects.end());
      if (it->second.empty()) entries_.erase(it);
    }
  }

  KeysOf keys_of_;
  boost::unordered_flat_map<Text, Objects, ByContent, ByContent> entries_;
};

template <Projection T>
class Store {
 public:
  // Null if it is not there. Valid until the store changes, so never across a co_await.
  const T* Find(const ObjectKey& key) const {
    const auto it = objects_.find(key);
    return it == objects_.end() ? nullptr : it->get();
  }

  // All of them, in no order.
  auto objects() const {
    return std::views::transform(objects_, [](const auto& object) -> const T& { return *object; });
  }
  std::size_t size() const { return objects_.size(); }

  // Objects that are there but could not be read, with the reason.
  const std::unordered_map<ObjectKey, std::string>& broken() const { return broken_; }

  // The index lives as long as the store and covers what comes later and what is there already.
  const Index<T>& AddIndex(typename Index<T>::KeysOf keys_of) {
    auto& index = *indexes_.emplace_back(std::make_unique<Index<T>>(std::move(keys_of)));
    for (const T& object : objects()) index.Insert(object);
    return index;
  }

  // Returns the state before, if there was one.
  std::optional<T> Put(T object) {
    broken_.erase(object.meta.key);
    const auto known = objects_.find(object.meta.key);
    if (known == objects_.end()) {
      const auto stored = objects_.insert(std::make_unique<T>(std::move(object))).first;
      for (const auto& index : indexes_) index->Insert(**stored);
      return std::nullopt;
    }
    // In its place, under the same key: what is large (all machines of a set) stays as it is.
    T before = std::exchange(**known, std::move(object));
    for (const auto& index : indexes_) index->Update(before, **known);
    return before;
  }

  // Moves an unchanged object to a newer version, so that neither indexes nor pointers change.
  void Touch(const ObjectKey& key, const ResourceVersion& version) {
    const auto it = objects_.find(key);
    if (it != objects_.end()) (*it)->meta.resource_version = version;
  }

  std::optional<T> Take(const ObjectKey& key) {
    broken_.erase(key);
    const auto it = objects_.find(key);
    if (it == objects_.end()) return std::nullopt;
    for (const auto& index : indexes_) index->Erase(**it);
    // Out of the set first: without its key it could not be found there.
    const auto node = objects_.extract(it);
    return std::move(*node.value());
  }

  void MarkBroken(const ObjectKey& key, std::string reason) {
    Take(key);
    broken_.insert_or_assign(key, std::move(reason));
  }

 private:
  // An object is its own key: with ten thousand of them a second copy of each name would show.
  struct ByKey {
    using is_transparent = void;
    static const ObjectKey& KeyOf(const ObjectKey& key) { return key; }
    static const ObjectKey& KeyOf(const std::unique_ptr<T>& object) { return object->meta.key; }
    std::size_t operator()(const auto& a) const { return std::hash<ObjectKey>()(KeyOf(a)); }
    bool operator()(const auto& a, const auto& b) const { return KeyOf(a) == KeyOf(b); }
  };

  std::unordered_set<std::unique_ptr<T>, ByKey, ByKey> objects_;
  std::unordered_map<ObjectKey, std::string> broken_;
  std::vector<std::unique_ptr<Index<T>>> indexes_;
};

}  // namespace millwright::kube
