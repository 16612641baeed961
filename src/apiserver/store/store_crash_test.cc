// Many writers on a slow, failing disk, in a process that crashes at any moment, by seeds.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "apiserver/store/virtual_store.h"
#include "base/random.h"

namespace millwright::apiserver {
namespace {

using namespace std::chrono_literals;

// What the world outside the process knows; survives its crashes.
struct Outside {
  std::map<Revision, std::string> acknowledged;  // "update /k 7 = text"
  std::vector<std::string> refused;              // texts that must never be seen
  std::vector<std::string> seen;                 // by one who watches everything, from revision 2
  int unexplained = 0;                           // refusals that no state explains
};

std::string Told(const Change& change) { return Describe(change) + " = " + change.record->value; }

// True if at some revision of that span the key was such that a writer of `kind` had to be refused.
bool Explains(Store& store, const std::string& key, ErrorKind kind, Revision from, Revision to) {
  for (Revision revision = from; revision <= to; ++revision) {
    const auto page = store.List({.scope = key, .revision = revision});
    if (!page) return true;  // compacted meanwhile: no longer known
    const bool there = !page->records.empty();
    if (there == (kind != ErrorKind::kNotFound)) return true;
  }
  return false;
}

class Writer {
 public:
  Writer(Store& store, Random& random, Outside& outside)
      : store_(store), random_(random), outside_(outside) {}

  Task<void> Run() {
    while (true) co_await WriteOnce();
  }

 private:
  Task<void> WriteOnce() {
    const std::string key = "/k/" + std::to_string(random_.Below(4));
    const std::string text = random_.Uuid();
    const Revision before = store_.revision();
    const RecordPtr current = store_.Get(key);
    const Result<Change> outcome = co_await Write(key, current, text);
    if (outcome) {
      outside_.acknowledged.emplace(outcome->revision(), Told(*outcome));
      co_return;
    }
    outside_.refused.push_back(text);
    const ErrorKind kind = outcome.error().kind();
    if (kind == ErrorKind::kUnavailable) co_return;
    if (!Explains(store_, key, kind, before, store_.revision())) ++outside_.unexplained;
  }

  Task<Result<Change>> Write(std::string key, RecordPtr current, std::string text) {
    if (!current) return store_.Create(std::move(key), Fixed(std::move(text)));
    if (random_.Below(5) == 0) return store_.Delete(std::move(key), current->mod_revision);
    return store_.Update(std::move(key), current->mod_revision, Fixed(std::move(text)));
  }

  Store& store_;
  Random& random_;
  Outside& outside_;
};

Task<void> WriteForEver(Store& store, Random& random, Outside& outside) {
  Writer writer(store, random, outside);
  co_await writer.Run();
}

Task<void> Observe(Store& store, Outside& outside) {
  // Goes on where it was, as a client does that remembers its last resourceVersion.
  Watcher watcher = store.Watch("", 1 + static_cast<Revision>(outside.seen.size())).value();
  while (true) {
    const Result<Change> change = co_await watcher.Next();
    outside.seen.push_back(change ? Told(*change) : change.error().message());
  }
}

SimulatedDisk::Script ScriptOf(Random& random) {
  return [&random](std::uint64_t) {
    CommitFate fate{.until_landed = std::chrono::microseconds(random.Below(3000)),
                    .until_answered = std::chrono::microseconds(random.Below(3000))};
    if (random.Below(6) == 0) fate.error = Error(ErrorKind::kUnavailable, "disk full");
    return fate;
  };
}

class StoreCrashTest : public testing::TestWithParam<int> {
 protected:
  // One life of the process.
  void Live(Duration duration) {
    VirtualStore store(world_, platter_, ScriptOf(random_), {.max_changes = 200});
    EXPECT_GE(store->revision(), newest_) << "no revision goes back";
    store.tasks().Spawn([&] { return Observe(*store, outside_); });
    for (int i = 0; i < 6; ++i) {
      store.tasks().Spawn([&] { return WriteForEver(*store, random_, outside_); });
    }
    world_.Advance(duration);
    newest_ = store->revision();
  }

  SeededRandom random_{static_cast<std::uint64_t>(GetParam())};
  VirtualWorld world_{random_};
  Platter platter_{"cluster"};
  Outside outside_;
  Revision newest_ = 1;
};

TEST_P(StoreCrashTest, KeepsEveryAcknowledgedWriteAndTellsEachOnce) {
  for (int life = 0; life < 8; ++life) {
    Live(std::chrono::microseconds(random_.Below(100'000)));
  }
  VirtualStore store(world_, platter_);
  store.tasks().Spawn([&] { return Observe(*store, outside_); });
  world_.Settle();

  ASSERT_EQ(static_cast<Revision>(outside_.seen.size()), store->revision() - 1);
  for (std::size_t i = 0; i < outside_.seen.size(); ++i) {
    EXPECT_NE(outside_.seen[i].find(" " + std::to_string(i + 2) + " = "), std::string::npos);
  }
  for (const auto& [revision, told] : outside_.acknowledged) {
    EXPECT_EQ(outside_.seen[static_cast<std::size_t>(revision) - 2], told);
  }
  for (const std::string& text : outside_.refused) {
    for (const std::string& seen : outside_.seen) EXPECT_FALSE(seen.ends_with(" = " + text));
  }
  EXPECT_EQ(outside_.unexplained, 0);
  EXPECT_GT(outside_.acknowledged.size(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StoreCrashTest, testing::Range(0, 20));

}  // namespace
}  // namespace millwright::apiserver
