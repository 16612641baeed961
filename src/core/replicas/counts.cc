#include "core/replicas/counts.h"

namespace millwright::core {

SetCounts CountMachines(std::span<const Machine> machines) {
  SetCounts counts;
  for (const Machine& machine : machines) {
    ++counts.replicas;
    counts.ready += machine.ready;
    counts.available += machine.available;
    counts.up_to_date += machine.up_to_date;
    counts.fully_labelled += machine.fully_labelled;
    // Past its time it still shows as preserved, until the preservation is taken back.
    counts.preserved_failed += machine.phase == Phase::kFailed && machine.preservation.until;
    counts.auto_preserved += machine.preservation.wish == PreserveWish::kAutomatic;
  }
  return counts;
}

}  // namespace millwright::core
