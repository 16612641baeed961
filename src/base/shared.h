// Values that very many objects have in common (the owner of all machines of a set), kept once.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

namespace millwright {

// A value that never changes and whose copies share it; by default none. Compared by content.
template <class T>
class Shared {
 public:
  Shared() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a value on its own is one that nobody shares yet
  Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  explicit operator bool() const { return value_ != nullptr; }
  const T* operator->() const { return value_.get(); }
  const T* pointer() const { return value_.get(); }  // null: none
  const T& operator*() const { return *value_; }

  // The value, or what T is by itself.
  const T& get() const {
    static const T kNone{};
    return value_ ? *value_ : kNone;
  }

  friend bool operator==(const Shared& a, const Shared& b) {
    if (a.value_ == b.value_) return true;
    return a.value_ && b.value_ && *a.value_ == *b.value_;
  }

 private:
  template <class U>
  friend class SharedPool;
  explicit Shared(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  std::shared_ptr<const T> value_;
};

// Equal values become one. What nobody uses any more goes as others come.
template <class T>
class SharedPool {
 public:
  Shared<T> Share(T value) {
    const auto known = values_.find(value);
    if (known != values_.end()) return Shared<T>(*known);
    if (values_.size() >= look_at_) DropUnused();
    return Shared<T>(*values_.insert(std::make_shared<const T>(std::move(value))).first);
  }

  std::size_t size() const { return values_.size(); }

 private:
  using Value = std::shared_ptr<const T>;

  struct ByContent {
    using is_transparent = void;
    static const T& Of(const T& value) { return value; }
    static const T& Of(const Value& value) { return *value; }
    bool operator()(const auto& a, const auto& b) const { return Of(a) < Of(b); }
  };

  // Only when their number has doubled since, so each pays for being looked at once or twice.
  void DropUnused() {
    std::erase_if(values_, [](const Value& value) { return value.use_count() == 1; });
    look_at_ = std::max<std::size_t>(64, 2 * values_.size());
  }

  std::set<Value, ByContent> values_;
  std::size_t look_at_ = 64;
};

}  // namespace millwright
