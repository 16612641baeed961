// A copy of a running store, page by page, so that commits can go between.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "apiserver/store/sqlite.h"
#include "base/result.h"

namespace millwright::apiserver {

// Used on the thread that commits: the copy then follows the writes made between its steps.
class SqliteBackup {
 public:
  // Fails with kAlreadyExists rather than overwrite a file.
  static Result<std::unique_ptr<SqliteBackup>> Begin(const SqliteConnection& source,
                                                     std::string path);
  // Use Begin.
  SqliteBackup(SqliteConnection target, sqlite3_backup* copy, std::string path);
  ~SqliteBackup();
  SqliteBackup(const SqliteBackup&) = delete;
  SqliteBackup& operator=(const SqliteBackup&) = delete;

  // Copies some pages. True once all are: the file then has its name and is on the disk.
  Result<bool> Step();

 private:
  Result<bool> Finish();

  struct End {
    void operator()(sqlite3_backup* copy) const { sqlite3_backup_finish(copy); }
  };

  // Null when closed.
  std::unique_ptr<SqliteConnection> target_;
  std::unique_ptr<sqlite3_backup, End> copy_;
  const std::string path_;
};

}  // namespace millwright::apiserver
