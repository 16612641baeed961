// Texts about applies that fail.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/apply_ownership.h"

namespace millwright::kube {

// The kConflict error with its ApplyConflicts, worded as a kube-apiserver does.
Error ConflictError(const OwnedByOthers& conflicts);

// namespace/name; group/version, Kind=Kind
std::string ObjectName(const boost::json::value& object);

}  // namespace millwright::kube
