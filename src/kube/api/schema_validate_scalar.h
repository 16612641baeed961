// Checks of a single value: its type, its number, its text, its place in an enumeration.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_findings.h"

namespace millwright::kube {

// The format that counts for the type of the schema; "" when there is none or a server ignores it.
std::string_view EffectiveFormat(const Schema& schema);

Findings CheckType(const Schema& schema, const boost::json::value& value, const std::string& path);
Findings CheckNumber(const Schema& schema, const boost::json::value& number,
                     const std::string& path);
Findings CheckText(const ValueChecks& checks, std::string_view text, const std::string& path);
Findings CheckFormat(const Schema& schema, std::string_view text, const std::string& path);
Findings CheckEnum(const ValueChecks& checks, const boost::json::value& value,
                   const std::string& path);

// An error about no field in particular, as a server reports a failed alternative or a number
// format.
FieldError GeneralError(std::string text);

}  // namespace millwright::kube
