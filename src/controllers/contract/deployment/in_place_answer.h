// Whether what an extension offers to change is all that there is to change. Pure.
#pragma once

#include "base/result.h"
#include "controllers/contract/shared/in_place_port.h"

namespace millwright::controllers::contract {

// True if the patches make the machines of `current` those of `desired`. Only what is under
// spec.template.spec counts: of a set the version and the failure domain (the rest is handed down
// without an extension, or is the templates' own), of templates everything. Fails for a patch that
// is not understood or cannot be applied.
Result<bool> CoversAll(const InPlaceObjects& current, const InPlaceObjects& desired,
                       const InPlaceAnswer& answer);

}  // namespace millwright::controllers::contract
