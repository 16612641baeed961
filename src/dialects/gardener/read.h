// Objects of the API to records. A spec that makes no sense is a record with a problem.
#pragma once

#include "dialects/class_record.h"
#include "dialects/deployment_record.h"
#include "dialects/gardener/shared_parts.h"
#include "dialects/machine_record.h"
#include "dialects/set_record.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::gardener {

Result<MachineRecord> ReadMachine(kube::JsonObject object, SharedParts& parts);
Result<SetRecord> ReadSet(kube::JsonObject object, SharedParts& parts);
Result<DeploymentRecord> ReadDeployment(kube::JsonObject object, SharedParts& parts);
Result<ClassRecord> ReadClass(kube::JsonObject object, SharedParts& parts);

// What a template says that no machine can be made of; empty: it is fine.
std::string TemplateProblem(const MachineTemplate& machine_template);

// Why the template's machines would not be the selector's; empty: they would.
std::string SelectorProblem(const SharedSelector& selector, bool written,
                            const MachineTemplate& machine_template);

}  // namespace millwright::dialects::gardener
