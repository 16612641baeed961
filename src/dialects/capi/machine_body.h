// A machine as its set wants it, as the body of a server-side apply by managers::kSet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

// Labels and annotations for a machine of a set, and for the clones beside it.
kube::Labels LabelsForMachine(const SetRecord& set);
kube::Labels AnnotationsForMachine(const SetRecord& set);

// A new machine; the references are those of its clones (bootstrap undefined: there is none).
boost::json::object MachineBody(const SetRecord& set, std::string_view name,
                                const Reference& bootstrap, const Reference& infrastructure);

// An existing machine: what makes it the machine it is stays, what a set hands down follows the
// template.
boost::json::object MachineBody(const SetRecord& set, const MachineRecord& machine);

// An existing machine that is to become, in place, one of the set's template: also version and
// failure domain follow.
boost::json::object UpdatedMachineBody(const SetRecord& set, const MachineRecord& machine);

// Whether the body of an existing machine must be applied.
bool NeedsApply(const boost::json::object& body, const MachineRecord& machine);

// What a machine on its way out still follows, as a merge patch; none: it has it.
std::optional<boost::json::object> DeletingMachinePatch(const SetRecord& set,
                                                        const MachineRecord& machine);

}  // namespace millwright::dialects::capi
