// Single values from one version to the other.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/value.hpp>

#include "dialects/capi/convert.h"
#include "dialects/capi/convert_table.h"

namespace millwright::dialects::capi {

struct DownContext {
  std::string_view namespace_;
  const VersionOf& version_of;
};

// None: there is nothing to write.
Result<std::optional<boost::json::value>> ValueToOld(Form form, const boost::json::value& value,
                                                     const DownContext& context);

// `value` null: it is absent. `restored` is what was there before the object was last read in the
// old version; null: that is not known, or nothing was there.
Result<std::optional<boost::json::value>> ValueToNew(Form form, const boost::json::value* value,
                                                     const boost::json::value* restored);

}  // namespace millwright::dialects::capi
