// kill -9 at random moments: what was acknowledged is there, whole, and watches go on where they
// were.
//
// MILLWRIGHT_CRASH_ROUNDS sets the number of kills.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "apiserver/store/crash_writer/crash_text.h"
#include "apiserver/store/restore.h"
#include "apiserver/store/sqlite_log.h"
#include "apiserver/store/temp_directory.h"

namespace millwright::apiserver {
namespace {

// A writer, and what it says.
class Child {
 public:
  Child(const std::string& file, std::uint64_t seed, Revision after) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    out_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<std::string> words = {CRASH_WRITER, file, std::to_string(seed),
                                      std::to_string(after)};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    EXPECT_EQ(posix_spawn(&pid_, CRASH_WRITER, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
  }
  ~Child() { close(out_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until it has said so many lines.
  void AwaitLines(std::size_t count) {
    while (lines_.size() < count && Read()) {
    }
  }

  // All that it ever said: whole lines only.
  std::vector<std::string> Kill() {
    kill(pid_, SIGKILL);
    while (Read()) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it should not have ended by itself";
    return std::move(lines_);
  }

 private:
  bool Read() {
    char buffer[4096];
    const ssize_t count = read(out_, buffer, sizeof(buffer));
    if (count <= 0) return false;
    rest_.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != rest_.npos; begin = end + 1) {
      lines_.push_back(rest_.substr(begin, end - begin));
    }
    rest_.erase(0, begin);
    return true;
  }

  pid_t pid_ = -1;
  int out_ = -1;
  std::string rest_;
  std::vector<std::string> lines_;
};

class KillTest : public testing::Test {
 protected:
  // What happened at a revision, as "KIND KEY".
  using Story = std::map<Revision, std::string>;

  void Round(std::uint64_t seed) {
    Child child(file_, seed, seen_);
    child.AwaitLines(SeededRandom(seed).Below(2000));
    for (const std::string& line : child.Kill()) Take(line);
    Check();
  }

  void Take(const std::string& line) {
    std::istringstream in(line);
    std::string what;
    Revision revision = 0;
    std::string told;
    in >> what >> revision >> std::ws;
    std::getline(in, told);
    if (what == "open") {
      EXPECT_EQ(revision, newest_) << "what the reader found, the next writer finds";
    } else if (what == "ack") {
      EXPECT_TRUE(acknowledged_.emplace(revision, told).second);
    } else if (what == "seen") {
      // Each once and none left out, over all rounds.
      EXPECT_EQ(revision, seen_ + 1);
      seen_ = revision;
      story_[revision] = told;
    } else {
      ADD_FAILURE() << line;
    }
  }

  // Opens the file as the next server would.
  void Check() {
    SeededRandom random(1);
    const auto log = SqliteLog::Open({.file = file_}, random);
    ASSERT_TRUE(log) << log.error().message();
    const auto restored = Restore((*log)->Load().value(), {});
    ASSERT_TRUE(restored) << restored.error().message();
    const History& history = restored->history;
    EXPECT_GE(history.last(), newest_) << "no revision goes back";
    EXPECT_GE(history.last(), acknowledged_.empty() ? 0 : acknowledged_.rbegin()->first);
    newest_ = history.last();
    ASSERT_LE(history.compacted(), seen_) << "the watch can be resumed";

    Story story = story_;
    for (Revision revision = seen_ + 1; revision <= history.last(); ++revision) {
      const Change& change = history.At(revision);
      story[revision] = fmt::format("{} {}", static_cast<int>(change.kind()), change.key());
    }
    for (const auto& [revision, told] : acknowledged_) EXPECT_EQ(story[revision], told);
    CheckObjects(restored->objects, story);
  }

  // They are what the story makes of them, and whole.
  static void CheckObjects(const Objects& objects, const Story& story) {
    std::map<std::string, Revision> want;
    for (const auto& [revision, told] : story) {
      const std::string key = told.substr(2);
      if (static_cast<ChangeKind>(told[0] - '0') == ChangeKind::kDelete) {
        want.erase(key);
      } else {
        want[key] = revision;
      }
    }
    std::map<std::string, Revision> got;
    objects.ForEach("", "", [&](const RecordPtr& record) {
      got[record->key] = record->mod_revision;
      EXPECT_EQ(record->value, CrashText(record->key, record->mod_revision));
      return true;
    });
    EXPECT_EQ(got, want);
  }

  TempDirectory directory_;
  std::string file_ = directory_.File("store.db");
  Revision newest_ = 1;
  Revision seen_ = 1;
  Story story_;  // by what was seen
  Story acknowledged_;
};

int Rounds() {
  const char* rounds = std::getenv("MILLWRIGHT_CRASH_ROUNDS");
  return rounds == nullptr ? 10 : std::atoi(rounds);
}

TEST_F(KillTest, LosesNoAcknowledgedWriteAndResumesEveryWatch) {
  for (int round = 0; round < Rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    Round(static_cast<std::uint64_t>(round));
  }
  EXPECT_GT(newest_, 100);
}

TEST_F(KillTest, TheFileIsLockedWhileTheServerLives) {
  SeededRandom random(1);
  Child child(file_, 1, 1);
  child.AwaitLines(1);
  const auto second = SqliteLog::Open({.file = file_}, random);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), testing::HasSubstr("is in use by another process"));
  child.Kill();
  EXPECT_TRUE(SqliteLog::Open({.file = file_}, random)) << "a dead server's lock does not stay";
}

}  // namespace
}  // namespace millwright::apiserver
