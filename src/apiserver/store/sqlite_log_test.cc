#include "apiserver/store/sqlite_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>

#include "apiserver/store/temp_directory.h"

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RecordPtr Row(Revision revision, std::string value, std::int64_t version = 1) {
  return std::make_shared<Record>(Record{.key = "/k",
                                         .value = std::move(value),
                                         .create_revision = 2,
                                         .mod_revision = revision,
                                         .version = version});
}

class SqliteLogTest : public testing::Test {
 protected:
  Result<std::unique_ptr<SqliteLog>> Open(std::int64_t quota = 0) {
    return SqliteLog::Open({.file = file_, .quota_bytes = quota}, random_);
  }

  // As some other program would.
  void Run(const std::string& sql) {
    auto connection = SqliteConnection::Open(file_);
    ASSERT_TRUE(connection);
    ASSERT_TRUE(connection->Execute(sql));
  }

  Error OpenError() {
    const auto log = Open();
    EXPECT_FALSE(log);
    return log ? Error(ErrorKind::kInternal, "it was opened") : log.error();
  }

  TempDirectory directory_;
  std::string file_ = directory_.File("store.db");
  SeededRandom random_{1};
};

TEST_F(SqliteLogTest, ANewFileIsEmptyNamedAndPrivate) {
  std::string id;
  {
    const auto log = Open().value();
    const DiskImage image = log->Load().value();
    EXPECT_EQ(image.compacted, 1);
    EXPECT_TRUE(image.rows.empty());
    id = image.cluster_id;
    EXPECT_EQ(id.size(), 36u);
    for (const char* suffix : {"", "-wal"}) {
      struct stat info{};
      ASSERT_EQ(stat((file_ + suffix).c_str(), &info), 0);
      EXPECT_EQ(info.st_mode & 0777, 0600u);
    }
  }
  EXPECT_EQ(Open().value()->Load()->cluster_id, id) << "kept for ever";
}

TEST_F(SqliteLogTest, RowsComeBackAsTheyWereWritten) {
  const std::string odd("a\0b \xc3\xa4 \"'", 9);
  ASSERT_TRUE(Open().value()->Append(
      {.rows = {Row(2, "first"), Row(3, odd, 2), Row(4, "", 0)}, .obsolete = {}}));
  const auto rows = Open().value()->Load()->rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]->key, "/k");
  EXPECT_EQ(rows[0]->value, "first");
  EXPECT_EQ(rows[1]->value, odd);
  EXPECT_EQ(rows[1]->create_revision, 2);
  EXPECT_EQ(rows[1]->mod_revision, 3);
  EXPECT_EQ(rows[1]->version, 2);
  EXPECT_TRUE(rows[2]->IsTombstone());
}

TEST_F(SqliteLogTest, ObsoleteRowsGoWithTheBatch) {
  const auto log = Open().value();
  ASSERT_TRUE(log->Append({.rows = {Row(2, "a"), Row(3, "b", 2)}, .obsolete = {}}));
  ASSERT_TRUE(log->Append({.rows = {Row(4, "c", 3)}, .compacted = 3, .obsolete = {2}}));
  const DiskImage image = log->Load().value();
  EXPECT_EQ(image.compacted, 3);
  ASSERT_EQ(image.rows.size(), 2u);
  EXPECT_EQ(image.rows[0]->mod_revision, 3);
}

TEST_F(SqliteLogTest, ABatchIsWrittenWholeOrNotAtAll) {
  const auto log = Open().value();
  ASSERT_TRUE(log->Append({.rows = {Row(2, "a")}, .obsolete = {}}));
  // The last row has a revision that is taken.
  EXPECT_FALSE(log->Append({.rows = {Row(3, "b"), Row(3, "c")}, .compacted = 2, .obsolete = {2}}));
  const DiskImage image = log->Load().value();
  EXPECT_EQ(image.compacted, 1);
  ASSERT_EQ(image.rows.size(), 1u);
  EXPECT_EQ(image.rows[0]->value, "a");
  EXPECT_TRUE(log->Append({.rows = {Row(3, "b")}, .obsolete = {}}));
}

TEST_F(SqliteLogTest, AFileOfANewerVersionIsRefusedAndLeftAlone) {
  ASSERT_TRUE(Open());
  Run("PRAGMA user_version = 7");
  const Error error = OpenError();
  EXPECT_EQ(error.kind(), ErrorKind::kInvalid);
  EXPECT_THAT(error.message(),
              HasSubstr("was written by a newer Millwright (schema 7, this one knows 1)"));
}

TEST_F(SqliteLogTest, AnotherProgramsDatabaseIsRefused) {
  std::ofstream(file_).close();
  Run("CREATE TABLE accounts (name TEXT)");
  EXPECT_THAT(OpenError().message(), HasSubstr("is not a Millwright store"));
}

TEST_F(SqliteLogTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(file_) << std::string(5000, 'x');
  const Error error = OpenError();
  EXPECT_EQ(error.kind(), ErrorKind::kInvalid);
  EXPECT_THAT(error.message(), HasSubstr("is not a Millwright store"));
}

TEST_F(SqliteLogTest, AMissingDirectoryIsNamed) {
  file_ = directory_.File("missing/store.db");
  const Error error = OpenError();
  EXPECT_EQ(error.kind(), ErrorKind::kPermission);
  EXPECT_THAT(error.message(), HasSubstr("missing/store.db: No such file or directory"));
}

TEST_F(SqliteLogTest, OnlyOneMayHaveItOpen) {
  {
    const auto log = Open().value();
    const Error error = OpenError();
    EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
    EXPECT_THAT(error.message(), HasSubstr("is in use by another process"));
    EXPECT_TRUE(log->Append({.rows = {Row(2, "a")}, .obsolete = {}}));
  }
  EXPECT_TRUE(Open());
}

TEST_F(SqliteLogTest, AFullQuotaRefusesTheBatchAndTakesItWhenThereIsRoom) {
  const auto log = Open(100 << 10).value();
  Revision revision = 1;
  Result<void> appended = Ok();
  while (appended) {
    ++revision;
    appended = log->Append({.rows = {Row(revision, std::string(5000, 'x'))}, .obsolete = {}});
    ASSERT_LT(revision, 100);
  }
  EXPECT_EQ(appended.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(appended.error().message(), HasSubstr("disk full: "));
  EXPECT_EQ(static_cast<Revision>(log->Load()->rows.size()), revision - 2);
  // What is taken out makes room within the same batch.
  EXPECT_TRUE(log->Append(
      {.rows = {Row(revision, std::string(5000, 'x'))}, .compacted = 4, .obsolete = {2, 3, 4}}));
  EXPECT_EQ(log->Load()->rows.back()->mod_revision, revision);
}

struct ErrorCase {
  const char* name;
  int code;
  int os_error;
  ErrorKind kind;
  const char* text;
};

void PrintTo(const ErrorCase& c, std::ostream* out) { *out << c.name; }

const ErrorCase kErrorCases[] = {
    {"Full", SQLITE_FULL, 0, ErrorKind::kUnavailable, "disk full: f cannot grow"},
    {"NoRoomOnWrite", SQLITE_IOERR_WRITE, ENOSPC, ErrorKind::kUnavailable, "disk full"},
    {"OverQuota", SQLITE_IOERR_WRITE, EDQUOT, ErrorKind::kUnavailable, "disk full"},
    {"TooLarge", SQLITE_IOERR_WRITE, EFBIG, ErrorKind::kUnavailable, "disk full"},
    {"BrokenDisk", SQLITE_IOERR_FSYNC, EIO, ErrorKind::kUnavailable, "Input/output error"},
    {"Locked", SQLITE_BUSY, 0, ErrorKind::kUnavailable, "in use by another process"},
    {"Damaged", SQLITE_CORRUPT, 0, ErrorKind::kInternal, "restore it from a backup"},
    {"NotADatabase", SQLITE_NOTADB, 0, ErrorKind::kInvalid, "not a Millwright store"},
    {"NoPermission", SQLITE_CANTOPEN, EACCES, ErrorKind::kPermission, "Permission denied"},
    {"ReadOnly", SQLITE_READONLY, 0, ErrorKind::kPermission, "cannot be written"},
    {"AnyOther", SQLITE_MISUSE, 0, ErrorKind::kInternal, "SQLite fails with 21"},
};

class SqliteErrorTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(SqliteErrorTest, SaysWhatToDo) {
  const ErrorCase& c = GetParam();
  const Error error = DescribeSqliteError(c.code, c.os_error, "f", "message");
  EXPECT_EQ(error.kind(), c.kind);
  EXPECT_THAT(error.message(), HasSubstr(c.text));
}

INSTANTIATE_TEST_SUITE_P(All, SqliteErrorTest, testing::ValuesIn(kErrorCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::apiserver
