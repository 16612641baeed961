// Creating, replacing and patching objects.
#pragma once

#include "apiserver/rest/call.h"
#include "apiserver/rest/prepare.h"

namespace millwright::apiserver {

Task<Result<Answer>> CreateObject(const Services& services, const Call& call);
Task<Result<Answer>> UpdateObject(const Services& services, const Call& call, Part part);
Task<Result<Answer>> PatchObject(const Services& services, const Call& call, Part part);

}  // namespace millwright::apiserver
