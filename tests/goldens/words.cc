#include "tests/goldens/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace millwright::goldens {
namespace {

std::string Words(const core::RolloutReason& reason, bool on_delete) {
  using Kind = core::RolloutReason::Kind;
  switch (reason.kind) {
    case Kind::kCountsMoved:
      return fmt::format("acknowledge Machines {} moved from an old MachineSet",
                         Join(reason.names));
    case Kind::kRoomForMore:
      return fmt::format("{} current Machines < {} MachineDeployment spec.replicas", reason.a,
                         reason.b) +
             (on_delete ? "" : fmt::format(" + {} maxSurge", reason.c));
    case Kind::kAboveWish:
      return "scale down to align MachineSet spec.replicas to MachineDeployment spec.replicas";
    case Kind::kNoMachinesBehind:
      return std::string("scale down to align to existing Machines") +
             (on_delete ? ""
                        : " or scale down by removing unavailable replicas (and no available "
                          "replicas exist on "
                          "the MachineSet)");
    case Kind::kEnoughAvailable:
      return fmt::format("{} available replicas > {} minimum available replicas", reason.a,
                         reason.b);
    case Kind::kMovesTo:
      return "should scale down by moving Machines to MachineSet " + Join(reason.names);
    case Kind::kSurgeDropped:
      return fmt::format("surge {} dropped to prioritize in-place updates", reason.a);
    case Kind::kSurgeForUpdates:
      return "surge 1 allowed to create availability for in-place updates";
    case Kind::kShareOfChange:
    case Kind::kAllBefore:
    case Kind::kNewOnesSuffice:
    case Kind::kUpdatedInPlace: return "";  // not in these records
    case Kind::kUnblocks: return "";        // they note it elsewhere
  }
  return "";
}

}  // namespace

std::string Join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

int NumberOf(const std::string& name) {
  return std::atoi(name.c_str() + std::min(name.find_first_of("0123456789"), name.size()));
}

std::string InTheirWords(const std::vector<core::RolloutReason>& reasons, bool on_delete) {
  std::vector<std::string> words;
  for (const core::RolloutReason& reason : reasons) {
    std::string text = Words(reason, on_delete);
    if (!text.empty()) words.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace millwright::goldens
