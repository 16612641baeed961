#include "cli/machine_lines.h"

#include <fmt/format.h>

namespace millwright::cli {

using dialects::MachineRecord;

namespace {

std::string_view InWords(const MachineRecord& machine) {
  using enum core::Phase;
  switch (machine.core.phase) {
    case kNew: return "created";
    case kCreateFailing: return "cannot be made yet";
    case kProvisioning:
    case kJoining: return "started, joining";
    case kAvailable:
    case kRunning: return "running";
    case kUnhealthy: return "unwell";
    case kUpdating: return "updating";
    case kUpdated: return "updated";
    case kUpdateFailed: return "update failed";
    case kFailed: return "failed, to be replaced";
    case kDeleting: return "going";
  }
  return "";
}

}  // namespace

std::string MachineLine(const MachineRecord* before, const MachineRecord* after) {
  if (after == nullptr) return fmt::format("{:<24} gone", before->meta.key.name);
  const bool same = before != nullptr && before->core.phase == after->core.phase;
  const bool failed = after->operation.state == dialects::OperationState::kFailed;
  const bool same_failure = !failed || (before != nullptr && before->operation.description ==
                                                                 after->operation.description);
  if (same && same_failure) return {};
  std::string line = fmt::format("{:<24} {}", after->meta.key.name, InWords(*after));
  if (failed) line += fmt::format(": {}", after->operation.description);
  return line;
}

void PrintMachineChanges(controllers::Caches& caches, Clock& clock, std::FILE* out) {
  caches.machines.OnChange([&clock, out](const MachineRecord* before, const MachineRecord* after) {
    const std::string line = MachineLine(before, after);
    if (line.empty()) return;
    // Only the time of day: whoever watches knows the date.
    fmt::print(out, "{}  {}\n", FormatTime(clock.Now()).substr(11, 8), line);
    std::fflush(out);
  });
}

}  // namespace millwright::cli
