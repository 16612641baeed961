#include "core/preserve/wish.h"

namespace millwright::core {
namespace {

PreserveWish ReadableWish(const std::optional<WrittenWish>& written) {
  return written && written->valid ? written->wish : PreserveWish::kNone;
}

}  // namespace

EffectiveWish ResolveWish(const WishSources& sources) {
  const auto applied = sources.applied_from_node.value_or(PreserveWish::kNone);
  const bool node_speaks = sources.node || applied != PreserveWish::kNone;
  if (!sources.node_exists || !node_speaks) return {.wish = ReadableWish(sources.machine)};
  if (sources.node && !sources.node->valid) return {.readable = false};
  const PreserveWish wish = ReadableWish(sources.node);
  return {.wish = wish,
          .from_node = true,
          .note_on_machine = wish != applied || sources.machine.has_value()};
}

}  // namespace millwright::core
