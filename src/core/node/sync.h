// Keeping what a machine wants on its node, and only that: what we put there and no longer want
// goes, what others put there stays.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"

namespace millwright::core {

using StringMap = std::map<std::string, std::string>;

struct KeyChanges {
  StringMap set;
  std::vector<std::string> remove;

  bool none() const { return set.empty() && remove.empty(); }

  friend bool operator==(const KeyChanges&, const KeyChanges&) = default;
};

// Three ways: what is there, what is wanted, what we put there before. For labels, annotations, and
// anything else that is named; values are compared as text, so write them in one form.
KeyChanges SyncKeys(const StringMap& present, const StringMap& wanted,
                    const std::set<std::string>& ours);

// The same where what is there is kept in another form: `present` says what is under a key, if
// anything.
using FindPresent = std::function<std::optional<std::string_view>(std::string_view)>;
KeyChanges SyncKeys(const FindPresent& present, const StringMap& wanted,
                    const std::set<std::string>& ours);

struct Taint {
  Text key;
  Text value;
  Text effect;

  friend auto operator<=>(const Taint&, const Taint&) = default;
};

// Two taints of the same key and effect are the same taint.
struct TaintId {
  Text key;
  Text effect;

  friend auto operator<=>(const TaintId&, const TaintId&) = default;
};

TaintId IdOf(const Taint& taint);

// A taint of that key and effect, whatever its value.
bool HasTaint(const std::vector<Taint>& taints, const TaintId& id);

// The taints a node should have; equal to `present`, order included, if nothing is to change.
std::vector<Taint> SyncTaints(const std::vector<Taint>& present, const std::vector<Taint>& wanted,
                              const std::set<TaintId>& ours);

// A taint that is kept there, or put there once when the node is new.
struct WantedTaint {
  Taint taint;
  bool only_at_first = false;

  friend bool operator==(const WantedTaint&, const WantedTaint&) = default;
};

struct TrackedTaints {
  std::vector<Taint> taints;
  std::set<TaintId>
      tracked;  // to be remembered on the node, also if empty: it marks that it is not new

  friend bool operator==(const TrackedTaints&, const TrackedTaints&) = default;
};

// `tracked` none: nothing was ever remembered, so the node is new.
TrackedTaints SyncTrackedTaints(const std::vector<Taint>& present,
                                const std::vector<WantedTaint>& wanted,
                                const std::optional<std::set<TaintId>>& tracked);

}  // namespace millwright::core
