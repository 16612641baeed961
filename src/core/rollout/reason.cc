#include "core/rollout/reason.h"

namespace millwright::core {
namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string ToString(const RolloutReason& reason) {
  using Kind = RolloutReason::Kind;
  const auto number = [](int value) { return std::to_string(value); };
  switch (reason.kind) {
    case Kind::kCountsMoved: return "counts machines that moved here: " + Joined(reason.names);
    case Kind::kRoomForMore:
      return number(reason.a) + " machines exist, " + number(reason.b) + " are wished and " +
             number(reason.c) + " more are allowed";
    case Kind::kAboveWish: return "the deployment wishes fewer";
    case Kind::kNoMachinesBehind: return "no available machine is lost by it";
    case Kind::kEnoughAvailable:
      return number(reason.a) + " machines are available and " + number(reason.b) + " have to be";
    case Kind::kMovesTo: return "its machines move to " + Joined(reason.names);
    case Kind::kSurgeDropped:
      return number(reason.a) + " fewer new machines, because machines are updated in place";
    case Kind::kSurgeForUpdates: return "one new machine makes room for updates in place";
    case Kind::kShareOfChange: return "its share of the deployment's new size";
    case Kind::kAllBefore: return "old machines go before new ones come";
    case Kind::kNewOnesSuffice: return "the current set has all that is wished";
    case Kind::kUpdatedInPlace: return "machines changed sets with their update done";
    case Kind::kUnblocks: return "unavailable machines of an old revision block the rollout";
  }
  return "";
}

}  // namespace millwright::core
