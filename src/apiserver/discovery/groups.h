// Discovery as it always was: a document for the groups, one for each group, one for each version.
// Pure.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

// /api. `address` is where the client reached us: "127.0.0.1:6443".
boost::json::object CoreVersionsDocument(const Registry& registry, std::string_view address);

// /apis.
boost::json::object GroupListDocument(const Registry& registry);

// /apis/GROUP.
boost::json::object GroupDocument(const Registry::Group& group);

// /api/VERSION and /apis/GROUP/VERSION.
boost::json::object ResourceListDocument(std::string_view group, const Registry::Version& version);

}  // namespace millwright::apiserver
