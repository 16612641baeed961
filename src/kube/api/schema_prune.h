// Removing what a schema does not know.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/schema.h"

namespace millwright::kube {

// Removes unknown fields from a resource, and nulls from its metadata. Gives their paths in order,
// as strict field validation reports them: unknown field "spec.foo".
//
// Under x-kubernetes-preserve-unknown-fields unknown fields stay, but known ones below are still
// looked into. apiVersion, kind and metadata are known in the resource and in embedded ones;
// metadata is checked against ObjectMeta.
Result<std::vector<std::string>> Prune(const Schema& schema, boost::json::value& resource);

// The same for a value inside of a resource, such as a default. The value must not be nested too
// deep.
std::vector<std::string> PruneValue(const Schema& schema, boost::json::value& value,
                                    const std::string& path);

}  // namespace millwright::kube
