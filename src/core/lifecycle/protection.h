// Whether an object that others use (a class, a secret) carries our finalizer.
#pragma once

namespace millwright::core {

enum class Protection {
  kNothing,
  kAdd,
  kRemove,
  kRefuse,  // it is to go and still used: say so, and look again when a user goes
};

Protection DecideProtection(bool used, bool deleting, bool has_finalizer);

}  // namespace millwright::core
