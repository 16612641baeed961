// Any object is read into a record or refused, the same way each time; and whatever was read can be
// written about.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dialects/gardener/gardener.h"
#include "tests/fuzz/read_object.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::dialects;

namespace {

constexpr std::string_view kTokens[] = {
    "{",
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
    "\"a\":\"b\"",
    "\"selector\":{",
    "\"matchLabels\":{",
    "\"template\":{",
    "\"class\":{",
    "\"kind\":\"MachineClass\"",
    "\"nodeTemplate\":{",
    "\"drainTimeout\":",
    "\"replicas\":",
    "\"strategy\":{",
    "\"type\":\"RollingUpdate\"",
    "\"rollingUpdate\":{",
    "\"maxSurge\":",
    "\"maxUnavailable\":",
    "\"currentStatus\":{",
    "\"phase\":\"Terminating\"",
    "\"lastOperation\":{",
    "\"description\":\"Initiate node drain\"",
    "\"conditions\":[",
    "\"machineSetCondition\":[",
    "\"taints\":[",
    "\"failedMachines\":[",
    "\"millwright.dev/state\":",
    "\"node.machine.sapcloud.io/trigger-deletion-by-mcm\":\"a~b,c\"",
    "\"providerSpec\":",
    "\"virtualCapacity\":{"};

// With a dialect that has seen the same bytes, and with one that has not.
template <class T>
Result<T> ReadTwice(Result<T> (gardener::GardenerDialect::*read)(kube::JsonObject),
                    const std::string& text) {
  gardener::GardenerDialect dialect;
  gardener::GardenerDialect other;
  const auto with = [&](gardener::GardenerDialect& one) {
    return fuzz::ReadObject(text, [&](kube::JsonObject object) { return (one.*read)(object); });
  };
  Result<T> first = with(dialect);
  for (gardener::GardenerDialect* reader : {&dialect, &other}) {
    const Result<T> again = with(*reader);
    if (again.has_value() != first.has_value()) std::abort();
    if (first && !(*first == *again)) std::abort();
  }
  return first;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gardener::GardenerDialect;
  const std::string text = fuzz::TokenText(data, size, kTokens);
  const GardenerDialect dialect;
  const WallTime now{std::chrono::hours(500000)};

  const auto machine = ReadTwice(&GardenerDialect::ReadMachine, text);
  if (machine) {
    using What = MachineReport::What;
    for (const What what : {What::kPending, What::kDeletion, What::kConditions, What::kProblem}) {
      (void)dialect.MachineStatus(*machine, {.what = what, .message = "x"}, now);
    }
    (void)dialect.SyncedNode(*machine, nullptr, {});
  }
  const auto set = ReadTwice(&GardenerDialect::ReadSet, text);
  if (set) {
    (void)dialect.NewMachine(*set, "m");
    (void)dialect.SetStatus(*set, {}, now);
    if (machine) (void)dialect.HandedDown(*set, *machine);
  }
  const auto deployment = ReadTwice(&GardenerDialect::ReadDeployment, text);
  if (deployment) {
    (void)dialect.NewSetBody(*deployment, dialect.NameSet(*deployment));
    (void)dialect.PrunedMarks(*deployment, deployment->scaler_marks);
    if (set) {
      const SetRecord* const sets[] = {&*set};
      (void)dialect.DeploymentStatus(*deployment, sets, {}, now);
      (void)dialect.ChangedSet(*deployment, *set, {.hand_down = true});
      (void)dialect.RolledBack(*deployment, &*set);
    }
  }
  (void)ReadTwice(&GardenerDialect::ReadClass, text);
  return 0;
}
