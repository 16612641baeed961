// The Disk port on a SQLite file, with a thread for what blocks.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "apiserver/store/blocking_thread.h"
#include "apiserver/store/disk.h"
#include "apiserver/store/sqlite_log.h"

namespace millwright::apiserver {

// Must go before the execution context that its callers run on.
class SqliteDisk final : public Disk {
 public:
  // Fails as SqliteLog::Open does. The random source names a new store.
  static Result<std::unique_ptr<SqliteDisk>> Open(const SqliteOptions& options, Random& random);

  // Use Open.
  explicit SqliteDisk(std::unique_ptr<SqliteLog> log) : log_(std::move(log)) {}

  Result<DiskImage> Load() override { return log_->Load(); }
  Task<Result<void>> Commit(std::shared_ptr<const Batch> batch) override;
  Task<Result<void>> Backup(std::string path) override;

 private:
  // Used by the thread alone once the first commit is under way.
  std::unique_ptr<SqliteLog> log_;
  BlockingThread thread_;
};

}  // namespace millwright::apiserver
