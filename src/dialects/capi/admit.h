// What is done to an object before it is stored: what it leaves open is filled in, and what cannot
// work is refused. For the kinds of the stored version.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "kube/api/labels.h"
#include "kube/api/schema_error.h"

namespace millwright::dialects::capi {

struct AdmissionGates {
  bool taints = false;    // MachineTaintPropagation
  bool preflight = true;  // MachineSetPreflightChecks
};

// The object with defaults; kinds that have none come back as they are. `old` is null for a new
// object. Fails with kInvalid if an annotation that decides makes no sense.
Result<boost::json::object> Default(std::string_view kind, boost::json::object object,
                                    const boost::json::object* old);

// What is wrong; empty: nothing. An object on its way out whose spec stays is not held up.
std::vector<kube::FieldError> Validate(std::string_view kind, const boost::json::object& object,
                                       const boost::json::object* old, const AdmissionGates& gates);

struct ReplicaView {
  std::optional<std::int64_t> written;
  bool is_update = false;
  std::optional<std::int64_t> before;  // of an update
};

// How many replicas a set or a deployment has if it does not say: what an autoscaler's limits
// allow, or one.
Result<std::int64_t> DefaultReplicas(const ReplicaView& view,
                                     const boost::json::object& annotations);

}  // namespace millwright::dialects::capi
