// What to do with a request for a certificate. Pure.
#pragma once

#include <functional>
#include <string>

#include <boost/json/value.hpp>

#include "apiserver/rest/admission.h"

namespace millwright::apiserver {

struct RequestStep {
  enum class Action { kNothing, kApprove, kFail, kSign };

  Action action = Action::kNothing;
  std::string message = {};  // why it is approved or fails

  friend bool operator==(const RequestStep&, const RequestStep&) = default;
};

// Whether the user may create certificatesigningrequests with that last part ("nodeclient").
using MayCreate = std::function<bool(const User& user, std::string_view subresource)>;

// Approved requests of our signers are signed, or fail if they break the signer's rules. A
// kubelet's request is approved if the requester may have such certificates without being looked
// at.
RequestStep PlanRequest(const boost::json::value& object, const MayCreate& may_create);

}  // namespace millwright::apiserver
