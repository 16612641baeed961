#include "core/replicas/claim.h"

namespace millwright::core {

Claim DecideClaim(const ClaimFacts& facts, bool releases_strays) {
  switch (facts.owner) {
    case ClaimFacts::Owner::kSomebodyElse: return Claim::kIgnore;
    case ClaimFacts::Owner::kNobody: {
      const bool takes = facts.selected && !facts.object_deleting && !facts.we_are_deleting;
      return takes ? Claim::kAdopt : Claim::kIgnore;
    }
    case ClaimFacts::Owner::kUs: {
      if (facts.selected) return Claim::kCount;
      return releases_strays && !facts.we_are_deleting ? Claim::kRelease : Claim::kIgnore;
    }
  }
  return Claim::kIgnore;
}

}  // namespace millwright::core
