// A set as its deployment wants it, as the body of a server-side apply by managers::kDeployment.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "dialects/capi/naming.h"
#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

// What the planner decided about a set.
struct SetWish {
  int replicas = 0;
  int max_replicas = 0;  // of the deployment, with surge
  std::string revision;
  std::string revision_history;  // empty: there is none
  bool disable_create = false;
  // Of updates in place; none: the annotation goes.
  std::optional<std::string> moves_to;
  std::optional<std::string> receives_from;
  std::optional<std::string> acknowledged;

  friend bool operator==(const SetWish&, const SetWish&) = default;
};

// A new set.
boost::json::object SetBody(const DeploymentRecord& deployment, const SetName& name,
                            const SetWish& wish);

// An existing set: of its template only what is handed down follows the deployment's.
boost::json::object SetBody(const DeploymentRecord& deployment, const SetRecord& set,
                            const SetWish& wish);

// Whether the body of an existing set must be applied.
bool NeedsApply(const boost::json::object& body, const SetRecord& set);

}  // namespace millwright::dialects::capi
