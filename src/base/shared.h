// Values that very many objects have in common (the owner of all machines of a set), kept once.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <set>
#include <utility>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace millwright {

// A value that never changes and whose copies share it; by default none. Compared by content.
// One pointer wide: the count of its users stands beside the value.
template <class T>
class Shared {
 public:
  Shared() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a value on its own is one that nobody shares yet
  Shared(T value) : held_(new Held(std::move(value))) {}

  explicit operator bool() const { return held_ != nullptr; }
  const T* operator->() const { return pointer(); }
  const T* pointer() const { return held_ ? &held_->value : nullptr; }  // null: none
  const T& operator*() const { return held_->value; }

  // The value, or what T is by itself.
  const T& get() const {
    static const T kNone{};
    return held_ ? held_->value : kNone;
  }

  // How many copies there are.
  std::size_t users() const { return held_ ? held_->use_count() : 0; }

  friend bool operator==(const Shared& a, const Shared& b) {
    if (a.held_ == b.held_) return true;
    return a.held_ && b.held_ && *a == *b;
  }

 private:
  struct Held : boost::intrusive_ref_counter<Held> {
    explicit Held(T of) : value(std::move(of)) {}
    const T value;
  };

  boost::intrusive_ptr<const Held> held_;
};

// Equal values become one. What nobody uses any more goes as others come.
template <class T>
class SharedPool {
 public:
  Shared<T> Share(T value) {
    const auto known = values_.find(value);
    if (known != values_.end()) return *known;
    if (values_.size() >= look_at_) DropUnused();
    return *values_.insert(Shared<T>(std::move(value))).first;
  }

  std::size_t size() const { return values_.size(); }

 private:
  struct ByContent {
    using is_transparent = void;
    static const T& Of(const T& value) { return value; }
    static const T& Of(const Shared<T>& value) { return *value; }
    bool operator()(const auto& a, const auto& b) const { return Of(a) < Of(b); }
  };

  // Only when their number has doubled since, so each pays for being looked at once or twice.
  void DropUnused() {
    std::erase_if(values_, [](const Shared<T>& value) { return value.users() == 1; });
    look_at_ = std::max<std::size_t>(64, 2 * values_.size());
  }

  std::set<Shared<T>, ByContent> values_;
  std::size_t look_at_ = 64;
};

}  // namespace millwright
