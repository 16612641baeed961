#include "apiserver/store/sqlite_disk.h"

#include "apiserver/store/sqlite_backup.h"

namespace millwright::apiserver {

Result<std::unique_ptr<SqliteDisk>> SqliteDisk::Open(const SqliteOptions& options, Random& random) {
  TRY(auto log, SqliteLog::Open(options, random));
  return std::make_unique<SqliteDisk>(std::move(log));
}

Task<Result<void>> SqliteDisk::Commit(std::shared_ptr<const Batch> batch) {
  co_return co_await thread_.Run<Result<void>>(
      [log = log_.get(), batch = std::move(batch)] { return log->Append(*batch); });
}

Task<Result<void>> SqliteDisk::Backup(std::string path) {
  // Made, used and destroyed on the thread; here it is only kept.
  const auto backup = std::make_shared<std::unique_ptr<SqliteBackup>>();
  const auto step = [log = log_.get(), backup, path]() -> Result<bool> {
    if (!*backup) {
      TRY(*backup, SqliteBackup::Begin(log->connection(), path));
    }
    Result<bool> done = (*backup)->Step();
    if (!done || *done) backup->reset();
    return done;
  };
  while (true) {
    Result<bool> done = co_await thread_.Run<Result<bool>>(step);
    if (!done) co_return Failure(std::move(done).error().Wrap("backing up the store"));
    if (*done) co_return Ok();
  }
}

}  // namespace millwright::apiserver
