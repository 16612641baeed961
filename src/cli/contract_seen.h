// Cluster API's objects of a namespace as they were seen at one moment, for commands that show
// them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dialects/capi/contract.h"
#include "dialects/capi/records.h"
#include "dialects/deployment_record.h"
#include "kube/api/group_version.h"

namespace millwright::cli {

// A provider's object, and how its fields are meant.
struct SeenExternal {
  dialects::capi::ExternalRecord object;
  dialects::capi::Contract contract;
};

// How objects of a provider's kind are read.
struct ServedExternal {
  std::string group;
  std::string kind;
  kube::GroupVersionResource resource;
  dialects::capi::Contract contract;
};

struct ExternalView {
  const SeenExternal* seen = nullptr;
  std::string why_not;  // it is not seen: "does not exist"
};

struct ContractSeen {
  std::vector<dialects::capi::ClusterRecord> clusters;
  std::vector<dialects::capi::DeploymentRecord> deployments;
  std::vector<dialects::capi::SetRecord> sets;
  std::vector<dialects::capi::MachineRecord> machines;
  // By namespace and reference.
  std::map<std::pair<std::string, dialects::capi::Reference>, SeenExternal> externals;
  std::vector<ServedExternal> served;  // kinds of providers that we looked at
  // Kinds of providers whose objects we could not look at, and why: by the name of the definition.
  std::map<std::string, std::string, std::less<>> unread;

  void Add(const ServedExternal& served, dialects::capi::ExternalRecord object);

  // By namespace and name, so that the same state always looks the same. Before anything is asked.
  void Sort();

  const dialects::capi::ClusterRecord* ClusterOf(const dialects::capi::Header& object,
                                                 std::string_view name) const;
  // The newest revision first.
  std::vector<const dialects::capi::SetRecord*> SetsOf(
      const dialects::capi::DeploymentRecord& deployment) const;
  // Those that an object controls: a set, or a control plane.
  std::vector<const dialects::capi::MachineRecord*> MachinesOf(
      const dialects::capi::Header& owner) const;

  ExternalView Look(const dialects::capi::Header& from,
                    const dialects::capi::Reference& reference) const;
};

// The kinds of providers that the objects name.
std::vector<std::pair<std::string, std::string>> ExternalKindsOf(const ContractSeen& seen);

bool IsControlledBy(const dialects::capi::Header& object, const Uid& owner);

// A set of which no machine is left, kept to be gone back to.
bool IsHistory(const dialects::capi::SetRecord& set,
               const dialects::capi::DeploymentRecord& deployment);

// In the form that every dialect's deployments have, as far as rollouts are shown.
dialects::DeploymentRecord AsShown(const dialects::capi::DeploymentRecord& deployment);

}  // namespace millwright::cli
