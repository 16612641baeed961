// The store on a real file, with a real loop and the disk's thread.
#include "apiserver/store/sqlite_disk.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <boost/asio/io_context.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "apiserver/store/store.h"
#include "apiserver/store/temp_directory.h"
#include "base/system_clock.h"

namespace millwright::apiserver {
namespace {

using testing::HasSubstr;

// A server process in small. Goes cleanly.
class Server {
 public:
  explicit Server(const std::string& file)
      : disk_(SqliteDisk::Open({.file = file}, random_).value()),
        store_(Store::Open(loop_.get_executor(), clock_, *disk_).value()) {}
  ~Server() {
    tasks_.Spawn([this] { return store_->Close(); });
    Run();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Store* operator->() { return store_.get(); }
  Store& operator*() { return *store_; }
  TaskGroup& tasks() { return tasks_; }

  // Until all tasks have ended.
  void Run() {
    loop_.run();
    loop_.restart();
  }

 private:
  boost::asio::io_context loop_{1};
  SystemClock clock_{loop_.get_executor()};
  SystemRandom random_;
  std::unique_ptr<SqliteDisk> disk_;
  std::unique_ptr<Store> store_;
  TaskGroup tasks_{loop_.get_executor()};
};

Task<void> CreateMany(Store& store, int writer, int count) {
  for (int i = 0; i < count; ++i) {
    const auto written =
        co_await store.Create(fmt::format("/w/{}/{}", writer, i), Fixed(std::string(2000, 'x')));
    EXPECT_TRUE(written);
  }
}

Task<void> Note(Task<Result<Change>> write, Result<Change>& outcome) {
  outcome = co_await std::move(write);
}

Task<void> NoteBackup(Store& store, std::string path, Result<void>& outcome) {
  outcome = co_await store.Backup(std::move(path));
}

// Keeps the program's files from growing, as a full disk does, until it goes.
class FullDisk {
 public:
  explicit FullDisk(std::uintmax_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

class SqliteDiskTest : public testing::Test {
 protected:
  static Result<Change> Create(Server& server, const std::string& key, std::size_t bytes) {
    Result<Change> outcome = Change{};
    server.tasks().Spawn(
        [&] { return Note(server->Create(key, Fixed(std::string(bytes, 'x'))), outcome); });
    server.Run();
    return outcome;
  }

  static Result<void> Backup(Server& server, const std::string& path) {
    Result<void> outcome = Ok();
    server.tasks().Spawn([&] { return NoteBackup(*server, path, outcome); });
    server.Run();
    return outcome;
  }

  TempDirectory directory_;
  std::string file_ = directory_.File("store.db");
};

TEST_F(SqliteDiskTest, WritersShareCommitsAndAllIsThereAfterwards) {
  {
    Server server(file_);
    for (int i = 0; i < 32; ++i) {
      server.tasks().Spawn([&, i] { return CreateMany(*server, i, 10); });
    }
    server.Run();
    EXPECT_EQ(server->revision(), 321);
    EXPECT_LT(server->stats().commits, 160u);
  }
  Server server(file_);
  EXPECT_EQ(server->revision(), 321);
  EXPECT_EQ(server->List({.scope = "/w/"})->records.size(), 320u);
  EXPECT_EQ(server->List({.scope = "/w/", .revision = 101})->records.size(), 100u);
  EXPECT_TRUE(server->Watch("/w/", 1));
}

TEST_F(SqliteDiskTest, ABackupIsAStoreOfOneMoment) {
  const std::string copy = directory_.File("backup.db");
  Revision at_least = 0;
  {
    Server server(file_);
    for (int i = 0; i < 200; ++i) {
      server.tasks().Spawn([&, i] { return CreateMany(*server, i, 10); });
    }
    server.Run();
    at_least = server->revision();
    // Copied while more is written.
    Result<void> backed_up = Ok();
    server.tasks().Spawn([&] { return NoteBackup(*server, copy, backed_up); });
    server.tasks().Spawn([&] { return CreateMany(*server, 1000, 10); });
    server.Run();
    ASSERT_TRUE(backed_up) << backed_up.error().message();
  }
  EXPECT_FALSE(std::filesystem::exists(copy + ".partial"));
  EXPECT_EQ(std::filesystem::status(copy).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  Server original(file_);
  Server server(copy);
  EXPECT_EQ(server->cluster_id(), original->cluster_id());
  EXPECT_GE(server->revision(), at_least);
  const auto then = original->List({.scope = "", .revision = server->revision()}).value().records;
  const auto copied = server->List({.scope = ""}).value().records;
  ASSERT_EQ(copied.size(), then.size());
  for (std::size_t i = 0; i < then.size(); ++i) EXPECT_EQ(copied[i]->value, then[i]->value);
}

TEST_F(SqliteDiskTest, ABackupOverwritesNothing) {
  const std::string copy = directory_.File("backup.db");
  std::ofstream(copy) << "precious";
  Server server(file_);
  EXPECT_EQ(Backup(server, copy).error().kind(), ErrorKind::kAlreadyExists);
  EXPECT_EQ(Backup(server, directory_.File("no/where.db")).error().kind(), ErrorKind::kPermission);
  EXPECT_TRUE(Create(server, "/a", 10)) << "the store goes on";
}

TEST_F(SqliteDiskTest, OnAFullDiskWritesFailReadsGoOnAndRoomCuresIt) {
  Server server(file_);
  ASSERT_TRUE(Create(server, "/a", 1000));
  {
    const FullDisk full(std::filesystem::file_size(file_ + "-wal") + 40'000);
    ASSERT_TRUE(Create(server, "/b", 1000)) << "there is room for this one";
    for (int i = 0; i < 3; ++i) {
      const auto refused = Create(server, "/c", 200'000);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind(), ErrorKind::kUnavailable);
      EXPECT_THAT(refused.error().message(), HasSubstr("disk full: "));
    }
    EXPECT_NE(server->Get("/b"), nullptr);
    EXPECT_EQ(server->Get("/c"), nullptr);
    EXPECT_EQ(server->revision(), 3);
  }
  const auto written = Create(server, "/c", 200'000);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->revision(), 4);
}

}  // namespace
}  // namespace millwright::apiserver
