// The machines of a namespace as they were seen at one moment, for commands that show them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"

namespace millwright::cli {

struct Seen {
  std::vector<dialects::DeploymentRecord> deployments;
  std::vector<dialects::SetRecord> sets;
  std::vector<dialects::MachineRecord> machines;
  std::vector<dialects::ClassRecord> classes;
  bool classes_known = true;  // else we could not look
  std::vector<dialects::NodeRecord> nodes;
  bool nodes_known = true;                       // else we could not look
  std::vector<kube::ObjectKey> missing_secrets;  // that classes name

  // By namespace and name, so that the same state always looks the same. Before anything is asked.
  void Sort();

  std::vector<const dialects::SetRecord*> SetsOf(
      const dialects::DeploymentRecord& deployment) const;
  std::vector<const dialects::MachineRecord*> MachinesOf(const dialects::SetRecord& set) const;
  const dialects::ClassRecord* ClassOf(const dialects::MachineRecord& machine) const;

  // Null: it is not there, or nodes are in a cluster that we do not look at.
  const dialects::NodeRecord* NodeOf(const dialects::MachineRecord& machine) const;

  bool IsCurrent(const dialects::SetRecord& set, const dialects::DeploymentRecord& of) const {
    return set.machine_template.rolls == of.machine_template.rolls;
  }
};

// The first of that name, or null.
template <class Record>
const Record* FindNamed(const std::vector<Record>& records, std::string_view name) {
  for (const Record& record : records) {
    if (record.meta.key.name == name) return &record;
  }
  return nullptr;
}

}  // namespace millwright::cli
