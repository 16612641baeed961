// The endpoint /scale: the number of replicas, whatever the kind.
#pragma once

#include "apiserver/rest/call.h"

namespace millwright::apiserver {

Task<Result<Answer>> ReadScale(const Services& services, const Call& call);
Task<Result<Answer>> UpdateScale(const Services& services, const Call& call);
Task<Result<Answer>> PatchScale(const Services& services, const Call& call);

}  // namespace millwright::apiserver
