// Records and what was decided, to patches and objects of the API. Patches are JSON merge patches;
// an empty one means that there is nothing to write.
#pragma once

#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialects/class_record.h"
#include "dialects/deployment_record.h"
#include "dialects/machine_record.h"
#include "dialects/node_change.h"
#include "dialects/node_record.h"
#include "dialects/reports.h"
#include "dialects/set_record.h"

namespace millwright::dialects::gardener {

// ---- Machines
boost::json::object MachineStatus(const MachineRecord& machine, const MachineReport& report,
                                  WallTime now);
boost::json::object MachineNotes(const MachineRecord& machine, const MachineReport& report);
boost::json::object Recorded(const MachineRecord& machine, std::string_view instance,
                             std::string_view node);
boost::json::object Marked(const MachineRecord& machine, const core::ScalerMark& mark);
boost::json::object AutoPreserved(const MachineRecord& machine, bool keep);
NodeChange SyncedNode(const MachineRecord& machine, const ClassRecord* of, const NodeRecord& node);
core::Condition GoingCondition(core::GoingBecause why);

// ---- Sets
Result<boost::json::object> NewMachine(const SetRecord& set, const std::string& name);
boost::json::object HandedDown(const SetRecord& set, const MachineRecord& machine);
boost::json::object SetStatus(const SetRecord& set, const SetReport& report, WallTime now);
boost::json::object NameFloor(const SetRecord& set, std::uint32_t floor);

// ---- Deployments
boost::json::object NewSetBody(const DeploymentRecord& deployment, const NewSet& set);
NewSet NameSet(const DeploymentRecord& deployment);
boost::json::object ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                               const SetWish& wish);
boost::json::object DeploymentStatus(const DeploymentRecord& deployment,
                                     std::span<const SetRecord* const> sets,
                                     const DeploymentReport& report, WallTime now);
boost::json::object DeploymentRevision(const DeploymentRecord& deployment, std::int64_t revision);
boost::json::object PrunedMarks(const DeploymentRecord& deployment,
                                std::span<const core::ScalerMark> keep);
boost::json::object RolledBack(const DeploymentRecord& deployment, const SetRecord* target);
boost::json::object DeploymentFrozen(const DeploymentRecord& deployment, bool frozen);

}  // namespace millwright::dialects::gardener
