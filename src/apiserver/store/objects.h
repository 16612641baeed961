// The live objects, in the order of their keys.
#pragma once

#include <set>
#include <string_view>

#include "apiserver/store/record.h"

namespace millwright::apiserver {

class Objects {
  // The key is the record's own: an object costs one tree node beside its record. Replacing a
  // record by another of the same key keeps the order, so it may happen inside the set.
  struct Slot {
    mutable RecordPtr record;
  };
  struct ByKey {
    using is_transparent = void;
    static std::string_view KeyOf(const Slot& slot) { return slot.record->key; }
    static std::string_view KeyOf(std::string_view key) { return key; }
    bool operator()(const auto& a, const auto& b) const { return KeyOf(a) < KeyOf(b); }
  };
  using Slots = std::set<Slot, ByKey>;

 public:
  // Null if there is no such object.
  RecordPtr Find(std::string_view key) const;

  // Puts the record in place of the one with its key; a tombstone only takes that away.
  void Apply(RecordPtr record);

  // Calls visit(record) for the objects of a scope behind a key, in order, while it returns true.
  template <class Visit>
  void ForEach(std::string_view scope, std::string_view start_after, Visit visit) const {
    const bool from_key = start_after >= scope;
    auto it = from_key ? slots_.upper_bound(start_after) : slots_.lower_bound(scope);
    for (; it != slots_.end() && Covers(scope, it->record->key); ++it) {
      if (!visit(it->record)) return;
    }
  }

  std::size_t size() const { return slots_.size(); }

 private:
  Slots slots_;
};

}  // namespace millwright::apiserver
