// Objects of the six kinds between v1beta2, which is stored, and v1beta1, which old clients speak.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace millwright::dialects::capi {

// The version of a provider's kind, from its definition (contract.h). None: it is not known; what
// old clients read then names the old version.
using VersionOf =
    std::function<std::optional<std::string>(std::string_view group, std::string_view kind)>;

// Both fail with kInvalid for kinds that are not ours, and for values that make no sense. What the
// old version cannot say is kept in an annotation, from which ToNew restores it.
Result<boost::json::object> ToOld(boost::json::object object, const VersionOf& version_of);
Result<boost::json::object> ToNew(boost::json::object object);

}  // namespace millwright::dialects::capi
