#include "providers/simulated/call.h"

namespace millwright::providers {

std::string_view ToString(CallKind kind) {
  switch (kind) {
    case CallKind::kCreate: return "create";
    case CallKind::kGet: return "get";
    case CallKind::kList: return "list";
    case CallKind::kRemove: return "remove";
    case CallKind::kInitialize: return "initialize";
    case CallKind::kJoin: return "join";
  }
  return "";
}

std::optional<CallKind> ParseCallKind(std::string_view name) {
  for (const CallKind kind : kCallKinds) {
    if (ToString(kind) == name) return kind;
  }
  return std::nullopt;
}

}  // namespace millwright::providers
