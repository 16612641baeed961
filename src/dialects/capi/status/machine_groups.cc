#include "dialects/capi/status/machine_groups.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "core/replicas/preflight.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/aggregate.h"
#include "dialects/capi/status/deletion_delay.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

constexpr Duration kTimeToReport = std::chrono::seconds(10);

AggregateInput InputOf(const MachineRecord& machine, std::string_view type) {
  AggregateInput input{.name = machine.meta.key.name,
                       .control_plane = machine.labels.contains(labels::kControlPlane)};
  if (const Condition* condition = Find(machine.status.conditions, type)) {
    input.weight = WeightOf(condition->status, false);
    input.message = condition->message;
  } else {
    input.weight = Weight::kUnknown;
    input.message = fmt::format("Condition {} not yet reported", type);
  }
  return input;
}

struct ThreeReasons {
  std::string_view yes;
  std::string_view no;
  std::string_view unknown;
};

Shown Aggregated(std::span<const AggregateInput> inputs, const ThreeReasons& words) {
  Summary summary = Aggregate(inputs, kMachineKind);
  std::string_view reason = words.unknown;
  if (summary.status == Truth::kTrue) reason = words.yes;
  if (summary.status == Truth::kFalse) reason = words.no;
  return {.status = summary.status,
          .reason = std::string(reason),
          .message = std::move(summary.message)};
}

Shown NoReplicas() { return {.status = Truth::kTrue, .reason = std::string(reasons::kNoReplicas)}; }

bool IsTrue(const MachineRecord& machine, std::string_view type) {
  return Is(machine.status.conditions, type, Truth::kTrue);
}

}  // namespace

Shown ShowMachinesReady(MachineList machines) {
  if (machines.empty()) return NoReplicas();
  std::vector<AggregateInput> inputs;
  inputs.reserve(machines.size());
  for (const MachineRecord* machine : machines) inputs.push_back(InputOf(*machine, types::kReady));
  return Aggregated(inputs, {reasons::kReady, reasons::kNotReady, reasons::kReadyUnknown});
}

UpToDateGroup ShowMachinesUpToDate(MachineList machines, WallTime now) {
  UpToDateGroup group;
  std::vector<AggregateInput> inputs;
  for (const MachineRecord* machine : machines) {
    const WallTime expected = machine->created + kTimeToReport;
    if (Find(machine->status.conditions, types::kUpToDate) == nullptr && expected >= now) {
      const WallTime at = expected + std::chrono::seconds(1);
      group.look_again = group.look_again ? std::min(*group.look_again, at) : at;
      continue;
    }
    inputs.push_back(InputOf(*machine, types::kUpToDate));
  }
  group.shown =
      inputs.empty()
          ? NoReplicas()
          : Aggregated(inputs, {reasons::kUpToDate, reasons::kNotUpToDate, "UpToDateUnknown"});
  return group;
}

bool IsToBeRemediated(const MachineRecord& machine) {
  return Is(machine.status.conditions, types::kHealthCheckSucceeded, Truth::kFalse) &&
         Is(machine.status.conditions, types::kOwnerRemediated, Truth::kFalse);
}

Shown ShowRemediating(MachineList machines, std::string_view kind) {
  std::vector<AggregateInput> remediated;
  std::vector<std::string> unhealthy;
  for (const MachineRecord* machine : machines) {
    if (IsToBeRemediated(*machine)) {
      remediated.push_back(InputOf(*machine, types::kOwnerRemediated));
    } else if (Is(machine->status.conditions, types::kHealthCheckSucceeded, Truth::kFalse)) {
      unhealthy.push_back(machine->meta.key.name);
    }
  }
  if (!remediated.empty()) {
    return {.status = Truth::kTrue,
            .reason = std::string(types::kRemediating),
            .message = Aggregate(remediated, kMachineKind).message};
  }
  Shown shown{.status = Truth::kFalse, .reason = "NotRemediating"};
  if (!unhealthy.empty()) {
    const bool one = unhealthy.size() == 1;
    shown.message = fmt::format(
        "{} {} {} not healthy (not to be remediated{}{})", Plural(kMachineKind, unhealthy.size()),
        ListNames(std::move(unhealthy)), one ? "is" : "are", kind.empty() ? "" : " by ", kind);
  }
  return shown;
}

bool IsUpdatingInPlace(const MachineRecord& machine) {
  return machine.annotations.contains(annotations::kUpdateInProgress) ||
         Is(machine.status.conditions, types::kUpdating, Truth::kTrue);
}

bool IsUnacknowledged(const MachineRecord& machine) {
  return machine.annotations.contains(annotations::kPendingAcknowledge);
}

std::string_view RunningVersion(const MachineRecord& machine) {
  // The text is canonical and the version has nothing to escape, so that it need not be parsed.
  constexpr std::string_view kField = R"("kubeletVersion":")";
  const std::string_view info = machine.status.node_info.view();
  if (const auto at = info.find(kField); at != std::string_view::npos) {
    const std::string_view rest = info.substr(at + kField.size());
    if (const auto end = rest.find('"'); end != std::string_view::npos && end > 0) {
      return rest.substr(0, end);
    }
  }
  return machine.spec.version;
}

std::vector<VersionCount> CountVersions(MachineList machines) {
  std::vector<const MachineRecord*> by_age(machines.begin(), machines.end());
  std::ranges::sort(by_age, [](const MachineRecord* a, const MachineRecord* b) {
    return std::tie(a->created, a->meta.key.name) < std::tie(b->created, b->meta.key.name);
  });
  std::vector<VersionCount> counts;
  for (const MachineRecord* machine : by_age) {
    const std::string_view version = RunningVersion(*machine);
    if (version.empty()) continue;
    auto found = std::ranges::find(counts, version, &VersionCount::version);
    if (found == counts.end()) {
      found = counts.insert(counts.end(), VersionCount{.version = std::string(version)});
    }
    ++found->replicas;
  }
  // Ties keep the order of the machines.
  std::vector<std::tuple<core::Version, std::size_t>> order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    order.emplace_back(core::ParseVersion(counts[i].version).value_or(core::Version{}), i);
  }
  std::ranges::sort(order);
  std::vector<VersionCount> sorted;
  for (const auto& [version, index] : order) sorted.push_back(std::move(counts[index]));
  return sorted;
}

Counts CountMachines(MachineList machines) {
  Counts counts{.replicas = static_cast<int>(machines.size())};
  for (const MachineRecord* machine : machines) {
    if (machine->annotations.contains(annotations::kUpdateInProgress)) continue;
    if (IsTrue(*machine, types::kReady)) ++counts.ready;
    if (IsTrue(*machine, types::kAvailable)) ++counts.available;
    if (IsTrue(*machine, types::kUpToDate)) ++counts.up_to_date;
  }
  return counts;
}

}  // namespace millwright::dialects::capi
