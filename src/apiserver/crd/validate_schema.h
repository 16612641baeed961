// The schema of a version in a CustomResourceDefinition.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/crd/validate_parts.h"

namespace millwright::apiserver {

// `document` is an openAPIV3Schema, or null. `path` is that of what it stands in.
void CheckSchema(const boost::json::value& document, bool has_status, const std::string& path,
                 FieldErrors& errors);

// A path such as ".spec.color" that lists are to be selected by.
void CheckSelectableField(const boost::json::value& document, std::string_view text,
                          const std::string& path, FieldErrors& errors);

}  // namespace millwright::apiserver
