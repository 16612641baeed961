// An object of which no more than its identity and its owner can be read.
#pragma once

#include <string>

#include "kube/projection/meta.h"

namespace millwright::kube {

struct Unreadable {
  Meta meta;
  // Who controls it, so that it is not taken for missing there; empty if nobody does.
  Uid owner;
  std::string owner_name;
  std::string reason;
};

// From any object that has metadata; the reason is left empty.
Result<Unreadable> ReadIdentity(JsonObject object);

}  // namespace millwright::kube
