#include "core/lifecycle/protection.h"

namespace millwright::core {

Protection DecideProtection(bool used, bool deleting, bool has_finalizer) {
  if (deleting) {
    if (!has_finalizer) return Protection::kNothing;
    return used ? Protection::kRefuse : Protection::kRemove;
  }
  if (used && !has_finalizer) return Protection::kAdd;
  if (!used && has_finalizer) return Protection::kRemove;
  return Protection::kNothing;
}

}  // namespace millwright::core
