// Whether a set (or a deployment) takes an object that its selector matches, or that it controls.
#pragma once

namespace millwright::core {

struct ClaimFacts {
  enum class Owner { kNobody, kUs, kSomebodyElse };

  Owner owner = Owner::kNobody;
  bool selected = false;  // our selector matches its labels
  bool object_deleting = false;
  bool we_are_deleting = false;
};

enum class Claim {
  kIgnore,
  kCount,  // it is ours
  kAdopt,  // nobody's: make it ours, with a precondition on its UID, after a live look at ourselves
  kRelease,  // ours no longer: take our reference away
};

// `releases_strays`: whether one that we control and no longer select is set free, or just not
// counted.
Claim DecideClaim(const ClaimFacts& facts, bool releases_strays);

}  // namespace millwright::core
