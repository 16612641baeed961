// The store's log in a SQLite file. Every call blocks.
//
// One table of rows by revision and no index: a commit appends at one end, trimming takes rows out
// by their number, and nothing is ever looked up. Objects and history are told apart only by the
// compact revision (see disk.h).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "apiserver/store/disk.h"
#include "apiserver/store/sqlite.h"
#include "base/random.h"
#include "base/result.h"

namespace millwright::apiserver {

struct SqliteOptions {
  std::string file;
  // How large the file may grow; 0: as large as the disk allows.
  std::int64_t quota_bytes = 0;
};

class SqliteLog {
 public:
  // Makes the file if there is none, readable by its owner only, since Secrets go there. Holds a
  // lock on it while open. Fails with kUnavailable if another process has it open, with kInvalid if
  // it is something else or was written by a newer version.
  static Result<std::unique_ptr<SqliteLog>> Open(const SqliteOptions& options, Random& random);

  // Use Open.
  struct Statements {
    SqliteStatement begin;
    SqliteStatement insert;
    SqliteStatement remove;
    SqliteStatement set_compacted;
    SqliteStatement commit;
  };
  SqliteLog(SqliteConnection connection, Statements statements)
      : connection_(std::move(connection)), statements_(std::move(statements)) {}

  Result<DiskImage> Load();

  // All or nothing, and on the disk when it returns.
  Result<void> Append(const Batch& batch);

  const SqliteConnection& connection() const { return connection_; }

 private:
  Result<void> AppendInTransaction(const Batch& batch);

  SqliteConnection connection_;
  Statements statements_;
};

}  // namespace millwright::apiserver
