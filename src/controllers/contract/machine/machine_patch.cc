#include "controllers/contract/machine/machine_patch.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

namespace millwright::controllers::contract {

namespace json = boost::json;
using dialects::capi::MachineRecord;

namespace {

json::object Difference(const kube::Labels& before, const kube::Labels& after) {
  json::object changes;
  for (const auto& [key, value] : after) {
    const auto known = before.find(key);
    if (known == before.end() || known->second != value) changes[key] = value;
  }
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) changes[key] = nullptr;
  }
  return changes;
}

void Put(json::object& into, std::string_view key, json::object value) {
  if (!value.empty()) into[key] = std::move(value);
}

void PutText(json::object& into, std::string_view key, const std::string& before,
             const std::string& after) {
  if (before == after) return;
  into[key] = after.empty() ? json::value() : json::value(after);
}

}  // namespace

json::object MachinePatch(const MachineRecord& before, const MachineRecord& after) {
  json::object metadata;
  Put(metadata, "labels", Difference(before.labels, after.labels));
  Put(metadata, "annotations", Difference(before.annotations, after.annotations));
  if (before.owners != after.owners) {
    json::array owners;
    for (const auto& owner : after.owners) owners.push_back(kube::EncodeOwnerReference(owner));
    metadata["ownerReferences"] = std::move(owners);
  }
  if (before.finalizers != after.finalizers) {
    metadata["finalizers"] = json::value_from(after.finalizers);
  }
  json::object spec;
  PutText(spec, "providerID", before.spec.provider_id, after.spec.provider_id);
  PutText(spec, "failureDomain", before.spec.failure_domain, after.spec.failure_domain);
  if (before.spec.data_secret != after.spec.data_secret && after.spec.data_secret) {
    spec["bootstrap"] = json::object{{"dataSecretName", *after.spec.data_secret}};
  }
  json::object patch;
  Put(patch, "metadata", std::move(metadata));
  Put(patch, "spec", std::move(spec));
  return patch;
}

}  // namespace millwright::controllers::contract
