// What metadata must be like, at a create and at a change. Pure.
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

std::vector<kube::FieldError> CheckMeta(const Resource& resource, const boost::json::value& object);

// `object` has the system's fields from `old` where it had none.
std::vector<kube::FieldError> CheckMetaUpdate(const Resource& resource,
                                              const boost::json::value& object,
                                              const boost::json::value& old);

}  // namespace millwright::apiserver
