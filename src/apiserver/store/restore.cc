#include "apiserver/store/restore.h"

#include <fmt/format.h>

namespace millwright::apiserver {

namespace {

Failure Damaged(Revision revision) {
  return Fail(
      ErrorKind::kInternal,
      fmt::format("the store is damaged at revision {}: restore it from a backup", revision));
}

}  // namespace

Result<Restored> Restore(const DiskImage& image, SteadyTime now) {
  Restored restored{.objects = {}, .history = History(image.compacted)};
  Revision last = 0;
  for (const RecordPtr& row : image.rows) {
    const Revision revision = row->mod_revision;
    if (revision <= last || row->key.empty()) return Damaged(revision);
    last = revision;
    if (revision > image.compacted) {
      if (revision != restored.history.last() + 1) return Damaged(restored.history.last() + 1);
      restored.history.Append({row, restored.objects.Find(row->key)}, now);
    }
    restored.objects.Apply(row);
  }
  return restored;
}

}  // namespace millwright::apiserver
