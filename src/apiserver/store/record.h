// What the store keeps: immutable records, and the changes that made them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace millwright::apiserver {

// One counter for the whole store; every successful write takes the next number.
using Revision = std::int64_t;

// One version of one object. Never changes once it is made, so the live objects, the history, every
// watcher and the disk's thread share the one copy.
struct Record {
  std::string key;
  std::string value;
  Revision create_revision = 0;
  Revision mod_revision = 0;
  std::int64_t version = 0;  // writes since it was created; 0: the object was deleted here

  bool IsTombstone() const { return version == 0; }
};

using RecordPtr = std::shared_ptr<const Record>;

enum class ChangeKind { kCreate, kUpdate, kDelete };

// One write, as its writer gets it back and as watchers see it.
struct Change {
  RecordPtr record;    // the new version, or the tombstone of a delete
  RecordPtr previous;  // the version before; null for a create

  ChangeKind kind() const {
    if (record->IsTombstone()) return ChangeKind::kDelete;
    return previous ? ChangeKind::kUpdate : ChangeKind::kCreate;
  }
  Revision revision() const { return record->mod_revision; }
  const std::string& key() const { return record->key; }
};

// A scope that ends in '/' is everything under it, the empty one is everything, any other is
// exactly that key.
inline bool Covers(std::string_view scope, std::string_view key) {
  if (scope.empty() || scope.back() == '/') return key.starts_with(scope);
  return key == scope;
}

}  // namespace millwright::apiserver
