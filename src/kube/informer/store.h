// What an informer has seen: one projection per object, found by key or by index.
//
// Absence here proves nothing by itself: the store may be behind, and an object that could not be
// decoded is kept apart (broken()), not dropped.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "kube/informer/index.h"
#include "kube/informer/unreadable.h"
#include "kube/projection/meta.h"

namespace millwright::kube {

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

  // Objects that are there but could not be read. Whoever is about to make up for what is missing
  // looks here first.
  const std::unordered_map<ObjectKey, Unreadable>& broken() const { return broken_; }

  // One of them that this owner controls; null if all that it has can be read.
  const Unreadable* FindBroken(const Uid& owner) const {
    const auto owned = [&](const auto& entry) { return entry.second.owner == owner; };
    const auto it = std::ranges::find_if(broken_, owned);
    return it == broken_.end() ? nullptr : &it->second;
  }

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

  // From here on any version counts as newer than what is there.
  void ForgetVersions() {
    for (const auto& object : objects_) object->meta.resource_version = {};
  }

  std::optional<T> Take(const ObjectKey& key) {
    broken_.erase(key);
    const auto it = objects_.find(key);
    if (it == objects_.end()) return std::nullopt;
    for (const auto& index : indexes_) index->Erase(**it);
    std::optional<T> taken = std::move(**it);
    objects_.erase(it);  // by its place: what is left of it has no key
    return taken;
  }

  void MarkBroken(Unreadable object) {
    Take(object.meta.key);
    broken_.insert_or_assign(object.meta.key, std::move(object));
  }

  // It went; none if no such object was known.
  std::optional<Unreadable> TakeBroken(const ObjectKey& key) {
    auto node = broken_.extract(key);
    return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
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

  boost::unordered_flat_set<std::unique_ptr<T>, ByKey, ByKey> objects_;
  std::unordered_map<ObjectKey, Unreadable> broken_;
  std::vector<std::unique_ptr<Index<T>>> indexes_;
};

}  // namespace millwright::kube
