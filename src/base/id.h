// Identifiers that the compiler keeps apart: a machine's UID is not a node's name.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

namespace millwright {

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string value) : value_(std::move(value)) {}

  const std::string& str() const { return value_; }
  bool empty() const { return value_.empty(); }

  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  std::string value_;
};

// A Kubernetes object's UID: unique in time, unlike its name.
using Uid = Id<struct UidTag>;

}  // namespace millwright

template <class Tag>
struct std::hash<millwright::Id<Tag>> {
  std::size_t operator()(const millwright::Id<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.str());
  }
};
