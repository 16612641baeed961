// The part of an object's metadata that every cache entry has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "kube/api/object.h"
#include "kube/projection/json_reader.h"

namespace millwright::kube {

struct Meta {
  ObjectKey key;
  Uid uid;
  ResourceVersion resource_version;
  std::int64_t generation = 0;
  std::optional<WallTime> deleting_since;

  friend bool operator==(const Meta&, const Meta&) = default;
};

// One field of metadata, if Meta has a place for it. A decoder that wants more (labels, owners)
// calls this for the fields it does not take itself.
Result<void> ReadMetaField(std::string_view key, JsonValue value, Meta& meta);

// A whole metadata object.
Result<void> ReadInto(JsonValue value, Meta& meta);

// From the text of a whole object; everything else in it is skipped.
Result<Meta> ReadObjectMeta(std::string_view object_text);

}  // namespace millwright::kube
