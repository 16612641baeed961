// The text that tells the templates of one deployment apart: a label on sets, their templates and
// their machines, and in the selectors of sets.
#pragma once

#include <boost/json/object.hpp>

#include <string>

#include "dialects/machine_record.h"
#include "dialects/set_record.h"

namespace millwright::dialects::gardener {

// Upstream's comes out of Go's memory and cannot be computed elsewhere, and need not be: sets are
// found by comparing templates.
std::string TemplateHash(const MachineTemplate& machine_template, int collision_count = 0);

// What is to change on a set that was made without one, if anything: first its template, and once
// all its machines have the label
//, the set and its selector. The other way round it would lose its machines.
boost::json::object HashOnSet(const SetRecord& set);

// The label that a machine lacks of its set's template; empty: none.
boost::json::object HashOnMachine(const SetRecord& set, const MachineRecord& machine);

}  // namespace millwright::dialects::gardener
