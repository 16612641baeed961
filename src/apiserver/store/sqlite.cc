#include "apiserver/store/sqlite.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace millwright::apiserver {

namespace {

// errno of a failed read or write. SQLite tells it for some calls only, but each file remembers its
// own: the database, and the write-ahead log that most failures hit.
int OsErrorOf(sqlite3* handle) {
  int error = sqlite3_system_errno(handle);
  if (error != 0) return error;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
  sqlite3_file* wal = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&wal));
  const bool is_open = wal != nullptr && wal->pMethods != nullptr;
  if (error == 0 && is_open) wal->pMethods->xFileControl(wal, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

Error ErrorOf(sqlite3* handle, std::string_view file) {
  const int code = sqlite3_extended_errcode(handle);
  const bool of_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  return DescribeSqliteError(code, of_system ? OsErrorOf(handle) : 0, file, sqlite3_errmsg(handle));
}

bool IsFull(int code, int os_error) {
  if (code == SQLITE_FULL) return true;
  const bool no_room = os_error == ENOSPC || os_error == EDQUOT || os_error == EFBIG;
  return code == SQLITE_IOERR && no_room;
}

}  // namespace

Error DescribeSqliteError(int code, int os_error, std::string_view file, std::string_view message) {
  const int primary = code & 0xff;
  const std::string cause =
      os_error == 0 ? std::string(message)
                    : fmt::format("{}: {}", message, std::generic_category().message(os_error));
  if (IsFull(primary, os_error)) {
    return {ErrorKind::kUnavailable,
            fmt::format("disk full: {} cannot grow ({}): make room, and writes work again", file,
                        cause)};
  }
  switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::kUnavailable,
              fmt::format("{} is in use by another process: stop that one or choose another file",
                          file)};
    case SQLITE_NOTADB:
      return {ErrorKind::kInvalid,
              fmt::format("{} is not a Millwright store: choose another file", file)};
    case SQLITE_CORRUPT:
      return {ErrorKind::kInternal,
              fmt::format("{} is damaged ({}): restore it from a backup", file, cause)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return {ErrorKind::kPermission,
              fmt::format("{} cannot be written ({}): check that its directory exists and belongs "
                          "to this user",
                          file, cause)};
    case SQLITE_IOERR:
      return {ErrorKind::kUnavailable,
              fmt::format("{} cannot be read or written ({}): check the disk", file, cause)};
    default:
      return {ErrorKind::kInternal,
              fmt::format("{}: SQLite fails with {} ({})", file, code, cause)};
  }
}

Result<SqliteConnection> SqliteConnection::Open(const std::string& file) {
  sqlite3* raw = nullptr;
  // With its mutex: one thread at a time is our rule, but a crash would be a hard way to learn of
  // its breach.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  Handle handle(raw);
  if (code != SQLITE_OK) {
    return Failure(raw != nullptr ? ErrorOf(raw, file)
                                  : DescribeSqliteError(code, 0, file, "out of memory"));
  }
  return SqliteConnection(std::move(handle), file);
}

Result<void> SqliteConnection::Execute(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return Failure(LastError());
  }
  return Ok();
}

Result<std::int64_t> SqliteConnection::QueryNumber(std::string_view sql) {
  TRY(SqliteStatement statement, Prepare(sql));
  TRY(const bool found, statement.Step());
  return found ? statement.Number(0) : 0;
}

Result<SqliteStatement> SqliteConnection::Prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return Failure(LastError());
  return SqliteStatement(SqliteStatement::Handle(raw), file_);
}

void SqliteConnection::Rollback() {
  if (sqlite3_get_autocommit(handle()) == 0) {
    sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Error SqliteConnection::LastError() const { return ErrorOf(handle(), file_); }

void SqliteStatement::Bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(handle_.get(), parameter, number);
}

void SqliteStatement::Bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(handle_.get(), parameter, text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

Result<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Failure(ErrorOf(sqlite3_db_handle(handle_.get()), file_));
}

Result<void> SqliteStatement::Run() {
  const Result<bool> stepped = Step();
  Reset();
  if (!stepped) return Failure(stepped.error());
  return Ok();
}

std::string_view SqliteStatement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return text == nullptr ? std::string_view() : std::string_view(text, static_cast<size_t>(size));
}

}  // namespace millwright::apiserver
