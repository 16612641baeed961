// What may change in a CertificateSigningRequest, and through which endpoint. Pure.
#pragma once

#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/time.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

// "approval" writes the conditions only; "status" leaves decisions as they were if it can. Gives
// conditions without times theirs.
void PrepareRequestUpdate(std::string_view subresource, const boost::json::value& old, WallTime now,
                          boost::json::value& object);

std::vector<kube::FieldError> CheckRequestUpdate(std::string_view subresource,
                                                 const boost::json::value& old,
                                                 const boost::json::value& object);

}  // namespace millwright::apiserver
