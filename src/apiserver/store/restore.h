// From what lies on the disk to what the store keeps in memory.
#pragma once

#include "apiserver/store/disk.h"
#include "apiserver/store/history.h"
#include "apiserver/store/objects.h"
#include "base/result.h"

namespace millwright::apiserver {

struct Restored {
  Objects objects;
  History history;
};

// Changes of before the restart count as made now: a clock that was stopped has no better answer.
// Fails if a row is missing or misplaced, which no crash explains.
Result<Restored> Restore(const DiskImage& image, SteadyTime now);

}  // namespace millwright::apiserver
