// What a real server makes of a new object, or of a change, besides defaults: by the strategies of
// the kinds, and by those admission plug-ins that are always on and ask nobody.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/group_version.h"

namespace millwright::apiserver {

// After ApplyBuiltinDefaults and once the object has its name and uid: the status begins anew,
// pods get their class, their priority and the usual tolerations, nodes the taint of those that are
// not ready, jobs their selector, namespaces their finalizer. The object stays normalized.
//
// Left to others, because they need to know more: addresses and ports of services, values of
// priority classes other than the two of the system, service accounts of pods, who signs.
void PrepareBuiltinCreate(const kube::GroupVersionKind& kind, boost::json::value& object);

// After ApplyBuiltinDefaults: takes from the stored object what cannot be changed but is no fault
// to send, such as the spec of a certificate request. `status` is of the endpoint.
void PrepareBuiltinUpdate(const kube::GroupVersionKind& kind, bool status,
                          const boost::json::value& old, boost::json::value& object);

}  // namespace millwright::apiserver
