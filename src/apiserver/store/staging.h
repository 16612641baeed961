// Judges writes, one after the other, before they are committed together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apiserver/store/objects.h"
#include "apiserver/store/record.h"
#include "base/result.h"

namespace millwright::apiserver {

// Makes an object's text once its revision is known, since a Kubernetes object carries it in
// metadata.resourceVersion: text that has it can be sent to readers as it is. Called at most once
// and not before the write is sure to be accepted; must not call the store.
using ValueBuilder = std::move_only_function<std::string(Revision)>;

// For text that does not depend on it.
ValueBuilder Fixed(std::string value);

struct WriteRequest {
  enum class Kind { kCreate, kUpdate, kDelete };

  Kind kind = Kind::kCreate;
  std::string key;
  // For update and delete: the object must still be at this revision; none: whatever it is at.
  std::optional<Revision> expected = {};
  ValueBuilder build = {};
};

// A round of writes on top of the store's state. Each sees those staged before it.
class Staging {
 public:
  // The objects must not change while the staging is in use.
  Staging(const Objects& objects, Revision last) : objects_(objects), last_(last) {}

  // Accepts the write and gives it the next revision, or fails and leaves everything as it was:
  // kAlreadyExists, kNotFound, kConflict, kInvalid for an empty key.
  Result<Change> Stage(WriteRequest request);

  // What was accepted, in revision order.
  const std::vector<Change>& changes() const { return changes_; }
  // The text of what was accepted.
  std::size_t bytes() const { return bytes_; }

 private:
  RecordPtr Newest(std::string_view key) const;
  Change Accept(WriteRequest request, RecordPtr previous);

  const Objects& objects_;
  Revision last_;
  std::vector<Change> changes_;
  std::size_t bytes_ = 0;
  // By keys of records that changes_ keeps.
  std::unordered_map<std::string_view, RecordPtr> staged_;
};

}  // namespace millwright::apiserver
