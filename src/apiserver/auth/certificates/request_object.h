// CertificateSigningRequests as far as those need them who approve and sign.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/auth/pki/signing_request.h"
#include "apiserver/rest/admission.h"
#include "base/result.h"

namespace millwright::apiserver {

// The request in spec.request. kInvalid.
Result<SigningRequest> RequestIn(const boost::json::value& object);

bool HasCondition(const boost::json::value& object, std::string_view type);
// All of that type.
std::vector<boost::json::value> ConditionsOf(const boost::json::value& object,
                                             std::string_view type);
void AddCondition(boost::json::value& object, std::string_view type, std::string_view reason,
                  std::string_view message, WallTime now);

// Who asked for it.
User RequesterOf(const boost::json::value& object);

// The member status, made if it is missing.
boost::json::object& StatusIn(boost::json::value& object);

}  // namespace millwright::apiserver
