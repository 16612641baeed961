#include "apiserver/store/sqlite_backup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "apiserver/store/private_file.h"

namespace millwright::apiserver {

namespace {

// A few milliseconds of work: what a commit may have to wait for.
constexpr int kPagesPerStep = 512;

// Until it is whole it has another name, so that nobody takes a half for a backup.
std::string PartialName(const std::string& path) { return path + ".partial"; }

}  // namespace

Result<std::unique_ptr<SqliteBackup>> SqliteBackup::Begin(const SqliteConnection& source,
                                                          std::string path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    return Fail(ErrorKind::kAlreadyExists, fmt::format("{} exists: choose another name", path));
  }
  const std::string partial = PartialName(path);
  std::filesystem::remove(partial, ignored);
  CHECK_OK(CreatePrivateFile(partial));
  TRY(SqliteConnection target, SqliteConnection::Open(partial));
  // Neither a journal nor its fsyncs: if this fails the file is thrown away.
  CHECK_OK(target.Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
  sqlite3_backup* copy = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
  if (copy == nullptr) return Failure(target.LastError());
  return std::make_unique<SqliteBackup>(std::move(target), copy, std::move(path));
}

SqliteBackup::SqliteBackup(SqliteConnection target, sqlite3_backup* copy, std::string path)
    : target_(std::make_unique<SqliteConnection>(std::move(target))),
      copy_(copy),
      path_(std::move(path)) {}

SqliteBackup::~SqliteBackup() {
  copy_.reset();
  if (target_) unlink(PartialName(path_).c_str());
}

Result<bool> SqliteBackup::Step() {
  const int code = sqlite3_backup_step(copy_.get(), kPagesPerStep);
  if (code == SQLITE_OK) return false;
  if (code == SQLITE_DONE) return Finish();
  return Failure(DescribeSqliteError(code, sqlite3_system_errno(target_->handle()), target_->file(),
                                     sqlite3_errstr(code)));
}

Result<bool> SqliteBackup::Finish() {
  copy_.reset();
  CHECK_OK(SyncAndRename(PartialName(path_), path_));
  target_.reset();
  return true;
}

}  // namespace millwright::apiserver
