#include "cli/contract_read.h"

#include <fmt/format.h>

#include "cli/list_all.h"
#include "controllers/contract/shared/labelled_record.h"
#include "controllers/contract/shared/resources.h"
#include "dialects/capi/names.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

Result<kube::Labels> LabelsIn(const kube::Document& definition) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string text(definition.text());
  simdjson::ondemand::document parsed;
  if (const auto code = parser.iterate(text).get(parsed)) return Failure(kube::JsonError(code));
  kube::JsonObject object;
  if (const auto code = parsed.get_object().get(object)) return Failure(kube::JsonError(code));
  TRY(contract::LabelledRecord record, contract::ReadLabelled(object));
  return record.labels;
}

// How a provider's kind is served, from the labels of its definition.
Task<Result<ServedExternal>> LookUp(kube::Client& client, std::string group, std::string kind) {
  const std::string name = capi::DefinitionName(kind, group);
  CO_TRY(const auto definition, co_await client.Find(contract::kDefinitions, {"", name}));
  if (!definition) co_return Fail(ErrorKind::kInvalid, "there is no definition " + name);
  CO_TRY(const kube::Labels labels, LabelsIn(*definition));
  CO_TRY(capi::Contract kept, capi::ChooseContract(labels));
  co_return ServedExternal{.group = group,
                           .kind = kind,
                           .resource = {group, kept.version, capi::Plural(kind)},
                           .contract = kept};
}

Task<Result<void>> ReadExternals(kube::Client& client, std::string name_space, capi::Reader& reader,
                                 std::string group, std::string kind, ContractSeen& seen) {
  CO_TRY(ServedExternal served, co_await LookUp(client, std::move(group), std::move(kind)));
  std::vector<capi::ExternalRecord> objects;
  CO_CHECK(co_await ListAll<capi::ExternalRecord>(
      client, served.resource, std::move(name_space),
      [&](kube::JsonObject object) { return reader.External(object); }, objects));
  for (capi::ExternalRecord& object : objects) seen.Add(served, std::move(object));
  seen.served.push_back(std::move(served));
  co_return Ok();
}

std::string WhyUnread(const Error& error) {
  return error.kind() == ErrorKind::kPermission ? "you may not read it" : error.message();
}

}  // namespace

Task<Result<ContractSeen>> ReadContractSeen(kube::Client& client, std::string name_space) {
  ContractSeen seen;
  capi::Reader reader;
  CO_CHECK(co_await ListAll<capi::ClusterRecord>(
      client, contract::kClusters, name_space,
      [&](kube::JsonObject object) { return reader.Cluster(object); }, seen.clusters));
  CO_CHECK(co_await ListAll<capi::DeploymentRecord>(
      client, contract::kDeployments, name_space,
      [&](kube::JsonObject object) { return reader.Deployment(object); }, seen.deployments));
  CO_CHECK(co_await ListAll<capi::SetRecord>(
      client, contract::kSets, name_space,
      [&](kube::JsonObject object) { return reader.Set(object); }, seen.sets));
  CO_CHECK(co_await ListAll<capi::MachineRecord>(
      client, contract::kMachines, name_space,
      [&](kube::JsonObject object) { return reader.Machine(object); }, seen.machines));
  for (const auto& [group, kind] : ExternalKindsOf(seen)) {
    const auto read = co_await ReadExternals(client, name_space, reader, group, kind, seen);
    if (!read) seen.unread[capi::DefinitionName(kind, group)] = WhyUnread(read.error());
  }
  seen.Sort();
  co_return seen;
}

}  // namespace millwright::cli
