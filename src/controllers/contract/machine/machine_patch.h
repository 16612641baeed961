// What a pass changed in the part of a machine that is wished, as a JSON merge patch. Pure.
#pragma once

#include <boost/json/object.hpp>

#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

// Labels, annotations, owners, finalizers, and the fields of the spec that are learnt from
// providers. Empty if nothing differs. Lists are replaced whole: only for the object as it was
// seen.
boost::json::object MachinePatch(const dialects::capi::MachineRecord& before,
                                 const dialects::capi::MachineRecord& after);

}  // namespace millwright::controllers::contract
