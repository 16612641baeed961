// What was applied, and whether it must be applied again. A server keeps, for every manager, which
// fields it applied (managedFields); with what is there now that tells all, also after a restart.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "kube/api/field_set.h"

namespace millwright::dialects::capi {

// What the manager of a body owns once the body is applied. Lists are merged as the kinds of
// Cluster API declare them.
kube::FieldSet FieldsOfBody(const boost::json::object& body);

// Whether everything in `wanted` is there with the same value; lists may have other items too, in
// any order.
bool HasAll(const boost::json::object& there, const boost::json::object& wanted);

// Whether applying the body would change the object or who owns it: a value differs, a field that
// we applied is no longer wanted, or one that is wanted is not ours yet. `applied` is the manager's
// fieldsV1.
bool NeedsApply(const boost::json::object& body, const boost::json::object& there,
                std::string_view applied);

}  // namespace millwright::dialects::capi
