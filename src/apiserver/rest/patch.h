// What a patch body says, and what it makes of an object. Pure.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "base/result.h"

namespace millwright::apiserver {

enum class PatchType { kJson, kMerge, kStrategic, kApply };

// By media type. Fails with 415, naming what this kind takes: only built-in ones take strategic
// merge patches.
Result<PatchType> PatchTypeOf(const Resource& resource, std::string_view content_type);

// For all but kApply.
Result<boost::json::value> Patched(const Resource& resource, PatchType type,
                                   boost::json::value object, const boost::json::value& patch);

}  // namespace millwright::apiserver
