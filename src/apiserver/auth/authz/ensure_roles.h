// Writes the built-in roles and bindings when the server starts.
#pragma once

#include "apiserver/rest/call.h"

namespace millwright::apiserver {

// Creates what is missing. To what is there, it adds rights and subjects that it lacks, and takes
// nothing away; one without the annotation autoupdate=true is left alone. The namespace kube-system
// must be there.
Task<Result<void>> EnsureBuiltinRoles(const Services& services);

}  // namespace millwright::apiserver
