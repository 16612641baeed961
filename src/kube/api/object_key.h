// What names one object of a kind.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::kube {

struct ObjectKey {
  std::string namespace_;  // empty for objects of the whole cluster
  std::string name;

  // "namespace/name", or "name".
  std::string ToString() const { return namespace_.empty() ? name : namespace_ + "/" + name; }

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

// Reads what ToString writes. Fails with kInvalid on an empty part or a second slash.
Result<ObjectKey> ParseObjectKey(std::string_view text);

}  // namespace millwright::kube

template <>
struct std::hash<millwright::kube::ObjectKey> {
  std::size_t operator()(const millwright::kube::ObjectKey& key) const noexcept {
    const std::size_t space = std::hash<std::string>{}(key.namespace_);
    // Mixed, not just combined: a/b and b/a are different objects and often both exist.
    return (space * 0x9e3779b97f4a7c15ULL) ^ std::hash<std::string>{}(key.name);
  }
};
