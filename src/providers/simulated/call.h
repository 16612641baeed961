// The calls that the simulated cloud answers, by kind: faults, latencies and counters go by these.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace millwright::providers {

enum class CallKind {
  kCreate,
  kGet,
  kList,
  kRemove,
  kInitialize,
  kJoin,  // not a call of a controller: the new machine's own way into the cluster
};

inline constexpr std::array kCallKinds = {CallKind::kCreate,     CallKind::kGet,
                                          CallKind::kList,       CallKind::kRemove,
                                          CallKind::kInitialize, CallKind::kJoin};

constexpr std::size_t IndexOf(CallKind kind) { return static_cast<std::size_t>(kind); }

// "create", "get", ...: as they are written in a class's provider spec.
std::string_view ToString(CallKind kind);
std::optional<CallKind> ParseCallKind(std::string_view name);

}  // namespace millwright::providers
