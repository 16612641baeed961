// Objects as rows of a table: what kubectl prints.
#pragma once

#include <boost/json/value.hpp>

#include "apiserver/rest/render.h"

namespace millwright::apiserver {

// `value` is one object or a list.
boost::json::value MakeTable(const Resource& resource, const boost::json::value& value,
                             const TableWishes& wishes, std::string_view version, WallTime now);

// Only apiVersion, kind and metadata of an object, as PartialObjectMetadata.
boost::json::value OnlyMetadata(const boost::json::value& object, std::string_view version);

// The age as kubectl prints it: "5s", "3m10s", "2d4h".
std::string AgeText(Duration age);

}  // namespace millwright::apiserver
