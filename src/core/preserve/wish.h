// Who wishes a machine to be kept, and whether that counts.
#pragma once

#include <optional>

#include "core/model/machine.h"

namespace millwright::core {

// What is written on a machine or a node; an unreadable wish is none of ours.
struct WrittenWish {
  bool valid = false;
  PreserveWish wish = PreserveWish::kNone;

  friend bool operator==(const WrittenWish&, const WrittenWish&) = default;
};

struct WishSources {
  std::optional<WrittenWish> machine;
  std::optional<WrittenWish> node;
  bool node_exists = false;
  std::optional<PreserveWish> applied_from_node;  // the node's wish that we acted on last
};

struct EffectiveWish {
  bool readable = true;  // if not, nothing is done until it is
  PreserveWish wish = PreserveWish::kNone;
  bool from_node = false;
  bool note_on_machine =
      false;  // remember on the machine what its node said, and drop its own wish

  friend bool operator==(const EffectiveWish&, const EffectiveWish&) = default;
};

// The node's word counts before the machine's; once acted upon it counts even when taken back.
EffectiveWish ResolveWish(const WishSources& sources);

}  // namespace millwright::core
