// Any object of Cluster API's is read into a record or refused, the same way each time; and
// whatever was read can be written about.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dialects/capi/contract.h"
#include "dialects/capi/machine_body.h"
#include "dialects/capi/read.h"
#include "dialects/capi/status/patch.h"
#include "tests/fuzz/read_object.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::dialects::capi;

namespace {

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "0",
                                        "-1",
                                        "3",
                                        "\"\"",
                                        "\"25%\"",
                                        "\"5m\"",
                                        "\"2026-01-01T00:00:00Z\"",
                                        "\"metadata\":{",
                                        "\"spec\":{",
                                        "\"status\":{",
                                        "\"name\":\"a\"",
                                        "\"labels\":{",
                                        "\"annotations\":{",
                                        "\"ownerReferences\":[",
                                        "\"managedFields\":[",
                                        "\"a\":\"b\"",
                                        "\"selector\":{",
                                        "\"matchLabels\":{",
                                        "\"template\":{",
                                        "\"clusterName\":\"c\"",
                                        "\"bootstrap\":{",
                                        "\"configRef\":{",
                                        "\"dataSecretName\":\"s\"",
                                        "\"infrastructureRef\":{",
                                        "\"apiGroup\":\"g\"",
                                        "\"kind\":\"K\"",
                                        "\"replicas\":",
                                        "\"rollout\":{",
                                        "\"strategy\":{",
                                        "\"type\":\"RollingUpdate\"",
                                        "\"rollingUpdate\":{",
                                        "\"maxSurge\":",
                                        "\"deletion\":{",
                                        "\"nodeDrainTimeoutSeconds\":",
                                        "\"conditions\":[",
                                        "\"deprecated\":{",
                                        "\"v1beta1\":{",
                                        "\"initialization\":{",
                                        "\"provisioned\":",
                                        "\"providerID\":\"p\"",
                                        "\"failureDomains\":",
                                        "\"addresses\":[",
                                        "\"nodeRef\":{",
                                        "\"taints\":[",
                                        "\"checks\":{",
                                        "\"remediation\":{",
                                        "\"triggerIf\":{",
                                        "\"unhealthyInRange\":\"[1-3]\"",
                                        "\"drain\":{",
                                        "\"machines\":[",
                                        "\"pods\":["};

// With a reader that has seen the same bytes, and with one that has not.
template <class T>
Result<T> ReadTwice(Result<T> (Reader::*read)(kube::JsonObject), const std::string& text) {
  Reader reader;
  Reader other;
  const auto with = [&](Reader& one) {
    return fuzz::ReadObject(text, [&](kube::JsonObject object) { return (one.*read)(object); });
  };
  Result<T> first = with(reader);
  for (Reader* one : {&reader, &other}) {
    const Result<T> again = with(*one);
    if (again.has_value() != first.has_value()) std::abort();
    if (first && !(*first == *again)) std::abort();
  }
  return first;
}

// Nothing is written about what has not changed.
template <class T>
void CheckStatus(const Result<T>& record) {
  if (record && !StatusPatch(record->status, record->status).empty()) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::TokenText(data, size, kTokens);
  const auto machine = ReadTwice(&Reader::Machine, text);
  const auto set = ReadTwice(&Reader::Set, text);
  CheckStatus(machine);
  CheckStatus(set);
  CheckStatus(ReadTwice(&Reader::Deployment, text));
  CheckStatus(ReadTwice(&Reader::HealthCheck, text));
  CheckStatus(ReadTwice(&Reader::Cluster, text));
  (void)ReadTwice(&Reader::DrainRule, text);
  if (machine && set) {
    (void)NeedsApply(MachineBody(*set, *machine), *machine);
    (void)DeletingMachinePatch(*set, *machine);
  }
  const auto external = ReadTwice(&Reader::External, text);
  if (external) {
    for (const bool is_v1beta2 : {true, false}) {
      const Contract contract{.is_v1beta2 = is_v1beta2, .version = "v1"};
      (void)InfrastructureProblem(*external, contract);
      (void)BootstrapProblem(*external, contract);
      (void)ControlPlaneProblem(*external, contract);
      (void)IsProvisioned(*external, contract);
    }
    (void)FailureDomainList(*external);
  }
  return 0;
}
