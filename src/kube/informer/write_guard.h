// Read your own writes: no decision about an object until the cache has seen what we wrote to it.
#pragma once

#include <unordered_map>

#include "base/time.h"
#include "kube/api/object.h"

namespace millwright::kube {

class WriteGuard {
 public:
  // We wrote the object; the server gave it this version. If the cache is there already (a watch
  // can be faster than the answer), nothing is held.
  void Expect(const ObjectKey& key, ResourceVersion version);

  // A watch showed the object, or its end, at this version. Watches show things in order, so all
  // that is older has been seen as well.
  void Seen(const ObjectKey& key, const ResourceVersion& version);

  // The cache has everything up to this version (a list, a bookmark): what we waited for below it
  // has come or is gone.
  void SeenAll(const ResourceVersion& version);

  // True while the cache is behind our own last write to this object. The event that brings it up
  // to date wakes whoever watches the object; one that was deleted between two lists has none, so
  // look again after kLookAgain.
  bool IsBehind(const ObjectKey& key) const;

  static constexpr Duration kLookAgain = std::chrono::seconds(10);

 private:
  void Advance(const ResourceVersion& version);

  std::unordered_map<ObjectKey, ResourceVersion> expected_;
  ResourceVersion newest_;
};

}  // namespace millwright::kube
