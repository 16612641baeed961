// The uniqueness that x-kubernetes-list-type promises.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_findings.h"

namespace millwright::kube {

// A value or key that occurs more than once is reported at its second place.
void CheckListTypes(const Schema& schema, const boost::json::object& object,
                    const std::string& path, Findings& out);

}  // namespace millwright::kube
