// Backups as a person makes them: of a store at rest, and of one that a server holds.
#include "cli/standalone_backup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>

#include <boost/json.hpp>

#include "apiserver/store/sqlite_disk.h"
#include "cli/process.h"
#include "kube/api/json_text.h"

namespace millwright::cli {
namespace {

namespace fs = std::filesystem;
using apiserver::SqliteDisk;
using apiserver::Store;
using testing::HasSubstr;

// A folder that goes with the test.
class BackupTest : public testing::Test {
 protected:
  BackupTest() {
    std::string name = (fs::temp_directory_path() / "millwright-backup-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~BackupTest() override { fs::remove_all(directory_); }

  struct Outcome {
    int code;
    std::string out;
    std::string err;
  };

  Outcome Backup(const fs::path& data, const fs::path& to) {
    std::vector<std::string> words = {"millwright",  "standalone", "backup",   "--data-dir",
                                      data.string(), "--to",       to.string()};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = Main(static_cast<int>(words.size()), argv.data());
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }

  void MakeStore(const fs::path& data) {
    fs::create_directories(data);
    SeededRandom random(1);
    ASSERT_TRUE(SqliteDisk::Open({.file = (data / "store.db").string()}, random));
  }

  fs::path directory_;
};

TEST_F(BackupTest, OfAStoreAtRest) {
  MakeStore(directory_ / "data");
  const fs::path to = directory_ / "copy.db";
  const Outcome made = Backup(directory_ / "data", to);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr(to.string()));
  EXPECT_EQ(fs::status(to).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  SeededRandom random(2);
  EXPECT_TRUE(SqliteDisk::Open({.file = to.string()}, random)) << "it is a store";
}

TEST_F(BackupTest, DoesNotOverwrite) {
  MakeStore(directory_ / "data");
  const fs::path to = directory_ / "data" / "store.db";
  const Outcome refused = Backup(directory_ / "data", to);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("choose another name"));
}

TEST_F(BackupTest, MakesNoStoreWhereThereIsNone) {
  const Outcome refused = Backup(directory_ / "nowhere", directory_ / "copy.db");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--data-dir"));
  EXPECT_FALSE(fs::exists(directory_ / "nowhere"));
}

class SaysHello final : public net::Handler {
 public:
  Task<net::ServerResponse> Handle(net::ServerRequest /*request*/) override {
    net::ServerResponse response;
    response.http = {.status = 200, .headers = {}, .body = "hello"};
    co_return response;
  }
};

struct Asked {
  std::vector<net::PeerIdentity> peers;
  std::vector<net::HttpResponse> answers;
};

Task<ExitCode> AskRunning(Process process, fs::path data, Asked& asked) {
  const auto disk =
      SqliteDisk::Open({.file = (data / "store.db").string()}, process.random).value();
  const auto store = Store::Open(process.executor, process.clock, *disk).value();
  SaysHello api;
  BackupHandler handler(api, *store, data, process.random);
  for (const net::PeerIdentity& peer : asked.peers) {
    net::HttpRequest request{
        .method = "POST", .target = "/millwright/backup", .headers = {}, .body = {}};
    auto answer = co_await handler.Handle({.http = std::move(request), .peer = peer});
    asked.answers.push_back(std::move(answer.http));
  }
  net::HttpRequest other{.method = "GET", .target = "/version", .headers = {}, .body = {}};
  asked.answers.push_back((co_await handler.Handle({.http = std::move(other), .peer = {}})).http);
  co_await store->Close();
  co_return ExitCode::kOk;
}

TEST_F(BackupTest, ARunningServerMakesOneForItsAdmins) {
  MakeStore(directory_ / "data");
  net::PeerIdentity admin;
  admin.verified = true;
  admin.organizations = {"system:masters"};
  net::PeerIdentity liar = admin;
  liar.verified = false;
  net::PeerIdentity other = admin;
  other.organizations = {"system:nodes"};
  Asked asked{.peers = {admin, liar, other}, .answers = {}};
  EXPECT_EQ(RunProcess({},
                       [&](Process process) {
                         return AskRunning(std::move(process), directory_ / "data", asked);
                       }),
            ExitCode::kOk);
  ASSERT_EQ(asked.answers.size(), 4u);
  EXPECT_EQ(asked.answers[0].status, 200) << asked.answers[0].body;
  const auto body = boost::json::parse(asked.answers[0].body);
  const fs::path file{std::string(kube::GetString(body, "file"))};
  EXPECT_EQ(file.parent_path(), directory_ / "data");
  EXPECT_TRUE(fs::exists(file));
  EXPECT_EQ(asked.answers[1].status, 403);
  EXPECT_EQ(asked.answers[2].status, 403);
  EXPECT_EQ(asked.answers[3].body, "hello") << "all else goes on to the API";
}

}  // namespace
}  // namespace millwright::cli
