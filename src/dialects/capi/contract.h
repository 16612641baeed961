// Which contract a provider's kind keeps, and what its fields mean under it.
#pragma once

#include <string>
#include <string_view>

#include "dialects/capi/records.h"
#include "kube/api/labels.h"

namespace millwright::dialects::capi {

struct Contract {
  bool is_v1beta2 = true;  // otherwise v1beta1
  std::string version;     // of the kind, as it is to be read and written

  friend bool operator==(const Contract&, const Contract&) = default;
};

// From the labels of a kind's definition. Fails (never with kNotFound: that would be a missing
// object) if no label says that the kind keeps a contract.
Result<Contract> ChooseContract(const kube::Labels& definition_labels);

// The plural of a kind, as its resource is called: "DevMachine" is "devmachines".
std::string Plural(std::string_view kind);

// "devmachines.infrastructure.cluster.x-k8s.io". A definition of another name cannot be found.
std::string DefinitionName(std::string_view kind, std::string_view group);

bool IsProvisioned(const ExternalRecord& record, const Contract& contract);
bool HasBootstrapData(const ExternalRecord& record, const Contract& contract);
bool IsControlPlaneInitialized(const ExternalRecord& record, const Contract& contract);

// What is wrong with the fields that count for an object in that role under its contract; empty: it
// can be used. What others of its fields are is the provider's.
std::string InfrastructureProblem(const ExternalRecord& record, const Contract& contract);
std::string BootstrapProblem(const ExternalRecord& record, const Contract& contract);
std::string ControlPlaneProblem(const ExternalRecord& record, const Contract& contract);

// The failure domains that a cluster's infrastructure reports as the list that a Cluster has, in
// canonical JSON: a map (v1beta1) becomes a list in the order of names. Empty: none are reported.
Result<std::string> FailureDomainList(const ExternalRecord& infrastructure);

}  // namespace millwright::dialects::capi
