// The parts of ValidateCrd, one subject each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/names.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

using FieldErrors = std::vector<kube::FieldError>;

// One error for all that is wrong with a name, as this kind's validation does it.
void CheckLabelName(std::string_view name, const std::string& path, FieldErrors& errors,
                    std::string_view prefix = "");

// spec.names or status.acceptedNames.
void CheckNames(const boost::json::value& names, const std::string& path, FieldErrors& errors);

void CheckVersions(const boost::json::value& crd, FieldErrors& errors);
// What all versions say alike. A real server looks at it apart from the versions, and names it by
// another path.
void CheckSharedParts(const boost::json::value& crd, FieldErrors& errors);

// `established`: from then on a bundle of certificates has to be one.
void CheckConversion(const boost::json::value& crd, bool established, FieldErrors& errors);

}  // namespace millwright::apiserver
