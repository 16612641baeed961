#include "dialects/capi/contract.h"

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>

#include "dialects/capi/names.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/version_order.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

// The most preferred of "v1alpha1_v1beta1"; empty: there is none.
std::string_view BestVersion(std::string_view list) {
  std::string_view best;
  while (!list.empty()) {
    const size_t end = std::min(list.find('_'), list.size());
    const std::string_view version = list.substr(0, end);
    if (!version.empty() && (best.empty() || IsPreferredVersion(version, best))) best = version;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return best;
}

bool IsVowel(char letter) { return std::string_view("aeiou").contains(letter); }

// The first noted problem of one of these fields, or of what they are in.
std::string ProblemOf(const ExternalRecord& record, std::initializer_list<std::string_view> paths) {
  std::string_view rest = record.problem;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    const std::string_view path = line.substr(0, line.find(':'));
    const bool is_part = path == "spec" || path == "status";
    if (is_part || std::ranges::find(paths, path) != paths.end()) return std::string(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::string_view FlagPath(const Contract& contract, std::string_view old_path) {
  return contract.is_v1beta2 ? "status.initialization" : old_path;
}

json::array ListOf(const json::object& domains) {
  std::map<std::string_view, const json::value*> by_name;
  for (const auto& [name, domain] : domains) by_name.emplace(name, &domain);
  json::array list;
  for (const auto& [name, domain] : by_name) {
    json::object item{{"name", name}, {"controlPlane", kube::GetBool(*domain, "controlPlane")}};
    const json::object* attributes = kube::GetObject(*domain, "attributes");
    if (attributes != nullptr && !attributes->empty()) item["attributes"] = *attributes;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

Result<Contract> ChooseContract(const kube::Labels& definition_labels) {
  for (const std::string_view contract : {kVersion, kOldVersion}) {
    const auto label =
        definition_labels.find(fmt::format("{}{}", labels::kContractPrefix, contract));
    if (label == definition_labels.end()) continue;
    const std::string_view version = BestVersion(label->second);
    if (!version.empty()) return Contract{contract == kVersion, std::string(version)};
  }
  return Fail(ErrorKind::kInvalid,
              fmt::format("its definition has no label {0}{1} or {0}{2} that names a version",
                          labels::kContractPrefix, kVersion, kOldVersion));
}

std::string Plural(std::string_view kind) {
  std::string word(kind);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view end = word;
  const bool hisses = end.ends_with('s') || end.ends_with('x') || end.ends_with('z') ||
                      end.ends_with("ch") || end.ends_with("sh");
  if (hisses) return word + "es";
  if (word.size() > 1 && end.ends_with('y') && !IsVowel(end[end.size() - 2])) {
    word.pop_back();
    return word + "ies";
  }
  return word + "s";
}

std::string DefinitionName(std::string_view kind, std::string_view group) {
  return fmt::format("{}.{}", Plural(kind), group);
}

bool IsProvisioned(const ExternalRecord& record, const Contract& contract) {
  return contract.is_v1beta2 ? record.provisioned : record.ready;
}

bool HasBootstrapData(const ExternalRecord& record, const Contract& contract) {
  return contract.is_v1beta2 ? record.data_secret_created : record.ready;
}

bool IsControlPlaneInitialized(const ExternalRecord& record, const Contract& contract) {
  return contract.is_v1beta2 ? record.control_plane_initialized : record.initialized;
}

std::string InfrastructureProblem(const ExternalRecord& record, const Contract& contract) {
  return ProblemOf(
      record, {"spec.providerID", "spec.failureDomain", "spec.controlPlaneEndpoint",
               "status.failureDomain", "status.addresses", FlagPath(contract, "status.ready")});
}

std::string BootstrapProblem(const ExternalRecord& record, const Contract& contract) {
  return ProblemOf(record, {"status.dataSecretName", FlagPath(contract, "status.ready")});
}

std::string ControlPlaneProblem(const ExternalRecord& record, const Contract& contract) {
  return ProblemOf(
      record, {"spec.version", "status.version", "status.versions",
               "status.externalManagedControlPlane", FlagPath(contract, "status.initialized")});
}

Result<std::string> FailureDomainList(const ExternalRecord& infrastructure) {
  const std::string_view text = infrastructure.failure_domains.view();
  if (text.empty()) return std::string();
  TRY(json::value domains, kube::ParseJson(text));
  if (const json::object* map = domains.if_object()) domains = ListOf(*map);
  if (!domains.is_array()) {
    return Fail(ErrorKind::kInvalid, "status.failureDomains is neither a list nor a map");
  }
  if (domains.get_array().empty()) return std::string();
  kube::TextPool texts;
  TRY(const kube::SharedText list, CanonicalText(json::serialize(domains), texts));
  return std::string(list.view());
}

}  // namespace millwright::dialects::capi
