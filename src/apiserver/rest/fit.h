// Makes an object fit its kind: unknown fields out, defaults in, everything checked. Pure.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/rest/body.h"

namespace millwright::apiserver {

// Takes out what the schema does not know and says what that was, then fills in defaults.
Result<void> PruneAndDefault(const Resource& resource, boost::json::value& object,
                             StrictFindings& findings);

// Everything that is wrong with the object; `old` is null for a create. Adds warnings about what is
// wrong and let through.
std::vector<kube::FieldError> CheckObject(const Resource& resource,
                                          const boost::json::value& object,
                                          const boost::json::value* old,
                                          std::vector<std::string>& warnings);

}  // namespace millwright::apiserver
