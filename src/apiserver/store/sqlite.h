// SQLite's C interface with owners, results and errors that say what to do.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::apiserver {

// What a failure of SQLite means to the person who runs us. `code` may be an extended one,
// `os_error` is errno or 0.
Error DescribeSqliteError(int code, int os_error, std::string_view file, std::string_view message);

class SqliteStatement;

// One open file. Its statements must go before it.
class SqliteConnection {
 public:
  // The file must exist; an empty one becomes a database with the first write.
  static Result<SqliteConnection> Open(const std::string& file);

  Result<void> Execute(const std::string& sql);
  // The number in the first column of the first row.
  Result<std::int64_t> QueryNumber(std::string_view sql);
  Result<SqliteStatement> Prepare(std::string_view sql);

  // Ends a transaction that failed, if SQLite has not done so itself.
  void Rollback();

  // What the last call failed with.
  Error LastError() const;

  const std::string& file() const { return file_; }
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  using Handle = std::unique_ptr<sqlite3, Close>;

  SqliteConnection(Handle handle, std::string file)
      : handle_(std::move(handle)), file_(std::move(file)) {}

  Handle handle_;
  std::string file_;
};

// Parameters are numbered from 1, columns from 0, as SQLite does. Texts that are bound must stay
// until the statement has run; texts that are read are good until the next row.
class SqliteStatement {
 public:
  void Bind(int parameter, std::int64_t number);
  void Bind(int parameter, std::string_view text);

  // True if there is a row.
  Result<bool> Step();
  // Runs a statement without rows and makes it ready to run again.
  Result<void> Run();
  void Reset() { sqlite3_reset(handle_.get()); }

  std::int64_t Number(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  std::string_view Text(int column) const;

 private:
  friend class SqliteConnection;
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  using Handle = std::unique_ptr<sqlite3_stmt, Finalize>;

  SqliteStatement(Handle handle, std::string file)
      : handle_(std::move(handle)), file_(std::move(file)) {}

  Handle handle_;
  std::string file_;  // for messages
};

}  // namespace millwright::apiserver
