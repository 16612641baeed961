// Objects of a store under text keys that are computed from them (owner UID, provider ID, node
// name).
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/text.h"
#include "kube/projection/meta.h"

namespace millwright::kube {

// The fields that a controller needs of a kind. Compared to tell real changes from noise.
template <class T>
concept Projection = std::equality_comparable<T> && requires(T t) {
  { t.meta } -> std::convertible_to<Meta&>;
};

// The objects under one key, in no order: mostly one (the machine of a node), else any number (the
// machines of a set), of which any can go without a look at the others.
template <Projection T>
class IndexedObjects {
  // By name and not by address, so that the order is the same whenever the same happens.
  struct ByName {
    std::size_t operator()(const T* object) const {
      return std::hash<ObjectKey>()(object->meta.key);
    }
  };
  using Many = boost::unordered_flat_set<const T*, ByName>;

 public:
  class Iterator {
   public:
    using value_type = const T*;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const T* one) : one_(one) {}
    explicit Iterator(typename Many::const_iterator among) : among_(among) {}

    const T* operator*() const { return one_ != nullptr ? one_ : *among_; }
    Iterator& operator++() {
      if (one_ != nullptr) {
        one_ = nullptr;
      } else {
        ++among_;
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const T* one_ = nullptr;
    typename Many::const_iterator among_{};
  };

  Iterator begin() const { return many_ ? Iterator(many_->begin()) : Iterator(one_); }
  Iterator end() const { return many_ ? Iterator(many_->end()) : Iterator(); }
  std::size_t size() const { return many_ ? many_->size() : (one_ != nullptr ? 1 : 0); }
  bool empty() const { return size() == 0; }
  const T* front() const { return *begin(); }

  void Insert(const T& object) {
    if (many_) {
      many_->insert(&object);
    } else if (one_ == nullptr || one_ == &object) {
      one_ = &object;
    } else {
      many_ = std::make_unique<Many>();
      many_->insert(std::exchange(one_, nullptr));
      many_->insert(&object);
    }
  }

  void Erase(const T& object) {
    if (many_) {
      many_->erase(&object);
    } else if (one_ == &object) {
      one_ = nullptr;
    }
  }

 private:
  const T* one_ = nullptr;  // unless there are many
  std::unique_ptr<Many> many_;
};

template <Projection T>
class Index {
 public:
  using Keys = std::vector<Text>;
  using KeysOf = std::function<void(const T&, Keys& keys)>;

  explicit Index(KeysOf keys_of) : keys_of_(std::move(keys_of)) {}

  // Valid until the store changes.
  const IndexedObjects<T>& Find(std::string_view key) const {
    static const IndexedObjects<T> kNone;
    const auto it = entries_.find(key);
    return it == entries_.end() ? kNone : it->second;
  }

  void Insert(const T& object) {
    for (Text& key : KeysOfObject(object)) entries_[std::move(key)].Insert(object);
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
      it->second.Erase(object);
      if (it->second.empty()) entries_.erase(it);
    }
  }

  KeysOf keys_of_;
  boost::unordered_flat_map<Text, IndexedObjects<T>, ByContent, ByContent> entries_;
};

}  // namespace millwright::kube
