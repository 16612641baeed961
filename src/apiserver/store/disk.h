// The Disk port: where the store's writes become durable.
//
// What lies there is a log of records, newest version last, and a tombstone for a deleted object.
// Rows that neither a live object nor the history needs are taken out when the history is trimmed.
// So a value is written once, a commit only appends, and a start is one pass in revision order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apiserver/store/record.h"
#include "base/result.h"
#include "base/task.h"

namespace millwright::apiserver {

// What is there at a start.
struct DiskImage {
  // Drawn when the store was made and kept for ever: tells two stores apart.
  std::string cluster_id;
  // As in etcd the empty store is at 1: clients take revision 0 for "any".
  Revision compacted = 1;
  // In revision order; without a gap behind `compacted`.
  std::vector<RecordPtr> rows = {};
};

// Written whole or not at all.
struct Batch {
  std::vector<RecordPtr> rows;  // to append, in revision order
  Revision compacted = 0;       // 0: as it was
  std::vector<Revision> obsolete;

  bool empty() const { return rows.empty() && compacted == 0; }
};

class Disk {
 public:
  virtual ~Disk() = default;

  // Called once, before any commit. May block: nobody is served yet.
  virtual Result<DiskImage> Load() = 0;

  // Returns once the batch survives a crash and a loss of power. After a failure nothing of it is
  // there and a later commit may succeed. The store never has two commits under way.
  virtual Task<Result<void>> Commit(std::shared_ptr<const Batch> batch) = 0;

  // Writes a copy that can be opened in place of this one; commits go on meanwhile.
  virtual Task<Result<void>> Backup(std::string path) = 0;
};

}  // namespace millwright::apiserver
