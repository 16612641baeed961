#include "apiserver/store/sqlite_log.h"

#include <fmt/format.h>

#include "apiserver/store/private_file.h"

namespace millwright::apiserver {

namespace {

constexpr std::int64_t kApplicationId = 0x4d494c4c;  // "MILL"
constexpr std::int64_t kSchemaVersion = 1;

// Objects are of 0.3 to 10 KB. Several fit a page of this size, and few need a chain of pages:
// against SQLite's 4 KiB the file is a third smaller and a commit takes half the CPU time.
// Measured.
constexpr std::int64_t kPageBytes = 16384;

// The write-ahead log's size at which it is copied into the file and begun again, 16 MB: large,
// since every commit touches the same pages at the end of the log, and small enough to read at a
// start.
constexpr int kCheckpointPages = 1000;

constexpr const char* kSchema =
    "CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, "
    "create_revision INTEGER NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;";

Result<bool> IsNew(SqliteConnection& connection) {
  TRY(const auto tables, connection.QueryNumber("SELECT count(*) FROM sqlite_schema"));
  TRY(const auto application, connection.QueryNumber("PRAGMA application_id"));
  TRY(const auto version, connection.QueryNumber("PRAGMA user_version"));
  if (tables == 0 && application == 0) return true;
  if (application != kApplicationId) {
    return Fail(
        ErrorKind::kInvalid,
        fmt::format("{} is not a Millwright store: choose another file", connection.file()));
  }
  if (version > kSchemaVersion) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{} was written by a newer Millwright (schema {}, this one knows {}): "
                            "run that version, or restore a backup from before it",
                            connection.file(), version, kSchemaVersion));
  }
  return false;
}

Result<void> MakeSchema(SqliteConnection& connection, Random& random) {
  return connection.Execute(
      fmt::format("BEGIN IMMEDIATE; {} PRAGMA application_id = {}; PRAGMA user_version = {};"
                  "INSERT INTO meta VALUES ('cluster_id', '{}'), ('compacted', {}); COMMIT",
                  kSchema, kApplicationId, kSchemaVersion, random.Uuid(), DiskImage{}.compacted));
}

Result<void> Configure(SqliteConnection& connection, const SqliteOptions& options) {
  // FULL: a commit is on the disk, not in the kernel, before it is acknowledged. The cache is small
  // because nothing is read back.
  CHECK_OK(connection.Execute(fmt::format(
      "PRAGMA synchronous = FULL; PRAGMA cache_size = -512; PRAGMA wal_autocheckpoint = {};"
      "PRAGMA temp_store = MEMORY",
      kCheckpointPages)));
  if (options.quota_bytes == 0) return Ok();
  TRY(const auto page_bytes, connection.QueryNumber("PRAGMA page_size"));
  return connection.Execute(
      fmt::format("PRAGMA max_page_count = {}", options.quota_bytes / page_bytes));
}

Result<SqliteConnection> Connect(const SqliteOptions& options, Random& random) {
  CHECK_OK(CreatePrivateFile(options.file));
  TRY(SqliteConnection connection, SqliteConnection::Open(options.file));
  // The lock that keeps other processes out; it also spares the shared-memory file. Nothing may be
  // written before the file is known to be ours.
  CHECK_OK(connection.Execute("PRAGMA locking_mode = EXCLUSIVE"));
  TRY(const bool is_new, IsNew(connection));
  if (is_new) CHECK_OK(connection.Execute(fmt::format("PRAGMA page_size = {}", kPageBytes)));
  CHECK_OK(connection.Execute("PRAGMA journal_mode = WAL"));
  CHECK_OK(Configure(connection, options));
  if (is_new) CHECK_OK(MakeSchema(connection, random));
  return connection;
}

Result<SqliteLog::Statements> PrepareAll(SqliteConnection& connection) {
  TRY(auto begin, connection.Prepare("BEGIN IMMEDIATE"));
  TRY(auto insert, connection.Prepare("INSERT INTO log (revision, key, create_revision, version, "
                                      "value) VALUES (?1, ?2, ?3, ?4, ?5)"));
  TRY(auto remove, connection.Prepare("DELETE FROM log WHERE revision = ?1"));
  TRY(auto set_compacted,
      connection.Prepare("UPDATE meta SET value = ?1 WHERE name = 'compacted'"));
  TRY(auto commit, connection.Prepare("COMMIT"));
  return SqliteLog::Statements{.begin = std::move(begin),
                               .insert = std::move(insert),
                               .remove = std::move(remove),
                               .set_compacted = std::move(set_compacted),
                               .commit = std::move(commit)};
}

}  // namespace

Result<std::unique_ptr<SqliteLog>> SqliteLog::Open(const SqliteOptions& options, Random& random) {
  auto connection = Connect(options, random);
  if (!connection) return Failure(std::move(connection).error().Wrap("opening the store"));
  TRY(Statements statements, PrepareAll(*connection));
  return std::make_unique<SqliteLog>(*std::move(connection), std::move(statements));
}

Result<DiskImage> SqliteLog::Load() {
  DiskImage image;
  TRY(image.compacted, connection_.QueryNumber("SELECT value FROM meta WHERE name = 'compacted'"));
  TRY(auto id, connection_.Prepare("SELECT value FROM meta WHERE name = 'cluster_id'"));
  TRY(const bool has_id, id.Step());
  if (has_id) image.cluster_id = id.Text(0);

  TRY(auto rows, connection_.Prepare("SELECT revision, key, create_revision, version, value "
                                     "FROM log ORDER BY revision"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return image;
    image.rows.push_back(std::make_shared<Record>(Record{.key = std::string(rows.Text(1)),
                                                         .value = std::string(rows.Text(4)),
                                                         .create_revision = rows.Number(2),
                                                         .mod_revision = rows.Number(0),
                                                         .version = rows.Number(3)}));
  }
}

Result<void> SqliteLog::AppendInTransaction(const Batch& batch) {
  CHECK_OK(statements_.begin.Run());
  // Taking out comes first: on a full disk the new rows may need just that room.
  for (const Revision revision : batch.obsolete) {
    statements_.remove.Bind(1, revision);
    CHECK_OK(statements_.remove.Run());
  }
  for (const RecordPtr& record : batch.rows) {
    statements_.insert.Bind(1, record->mod_revision);
    statements_.insert.Bind(2, record->key);
    statements_.insert.Bind(3, record->create_revision);
    statements_.insert.Bind(4, record->version);
    statements_.insert.Bind(5, record->value);
    CHECK_OK(statements_.insert.Run());
  }
  if (batch.compacted != 0) {
    statements_.set_compacted.Bind(1, batch.compacted);
    CHECK_OK(statements_.set_compacted.Run());
  }
  return statements_.commit.Run();
}

Result<void> SqliteLog::Append(const Batch& batch) {
  Result<void> appended = AppendInTransaction(batch);
  if (!appended) connection_.Rollback();
  return appended;
}

}  // namespace millwright::apiserver
