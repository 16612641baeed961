// Who owns an object: when all owners are gone, the garbage collector removes it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/fwd.hpp>

#include "base/id.h"
#include "base/result.h"

namespace millwright::kube {

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  Uid uid;
  // Absent and false mean the same; kept apart to write back what others wrote as it was.
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;

  bool IsController() const { return controller.value_or(false); }

  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

Result<OwnerReference> DecodeOwnerReference(const boost::json::value& reference);
boost::json::object EncodeOwnerReference(const OwnerReference& reference);

}  // namespace millwright::kube
