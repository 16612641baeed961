#include "apiserver/store/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

RecordPtr At(Revision revision, std::int64_t version, std::size_t bytes = 0) {
  return std::make_shared<Record>(Record{
      .key = "/k", .value = std::string(bytes, 'x'), .mod_revision = revision, .version = version});
}

SteadyTime Second(int seconds) { return SteadyTime(std::chrono::seconds(seconds)); }

// Revisions 11 to 10 + count, one a second, of one object that is overwritten each time.
History Overwrites(int count, std::size_t bytes = 0) {
  History history(10);
  RecordPtr previous;
  for (int i = 1; i <= count; ++i) {
    RecordPtr record = At(10 + i, i, bytes);
    history.Append({record, previous}, Second(i));
    previous = std::move(record);
  }
  return history;
}

constexpr HistoryLimits kUnlimited = {
    .max_changes = 1'000'000, .max_bytes = 1'000'000'000, .max_age = 24h};

TEST(HistoryTest, KnowsEveryRevisionItKeeps) {
  History history = Overwrites(5);
  EXPECT_EQ(history.compacted(), 10);
  EXPECT_EQ(history.last(), 15);
  EXPECT_EQ(history.At(11).revision(), 11);
  history.Trim(12);
  EXPECT_EQ(history.compacted(), 12);
  EXPECT_EQ(history.last(), 15);
  EXPECT_EQ(history.At(13).revision(), 13);
}

TEST(HistoryTest, ATrimBeyondTheEndKeepsTheNewestRevision) {
  History history = Overwrites(5);
  history.Trim(99);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_EQ(history.last(), 15);
  EXPECT_EQ(history.bytes(), 0u);
}

struct TrimCase {
  const char* name;
  int changes;
  HistoryLimits limits;
  int now;
  Revision want;  // 10: nothing
};

void PrintTo(const TrimCase& c, std::ostream* out) { *out << c.name; }

const std::size_t kHeld = sizeof(Record) + 2 + 100;

const TrimCase kTrimCases[] = {
    {"NothingToDoWithinTheLimits", 16, kUnlimited, 16, 10},
    {"NothingToDoWhenEmpty", 0, {.max_changes = 0}, 0, 10},
    {"WaitsForAnEighthTooMany", 16, {.max_changes = 15}, 16, 10},
    {"ThenTrimsToTheCount", 16, {.max_changes = 14}, 16, 12},
    {"TrimsByAge", 16, {.max_age = 5s}, 16, 20},
    {"AnAgeJustReachedIsKept", 16, {.max_age = 15s}, 16, 10},
    {"TrimsAllAfterALongRest", 16, {.max_age = 5s}, 1000, 26},
    {"TrimsByBytes", 16, {.max_bytes = 10 * kHeld}, 16, 16},
};

class ChooseTrimTest : public testing::TestWithParam<TrimCase> {};

TEST_P(ChooseTrimTest, Chooses) {
  const TrimCase& c = GetParam();
  EXPECT_EQ(Overwrites(c.changes, 100).ChooseTrim(c.limits, Second(c.now)), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, ChooseTrimTest, testing::ValuesIn(kTrimCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(HistoryTest, OverwrittenVersionsAndTombstonesBecomeObsolete) {
  History history(10);
  const RecordPtr first = At(7, 1);
  const RecordPtr second = At(11, 2);
  const RecordPtr tombstone = At(12, 0);
  history.Append({second, first}, {});
  history.Append({tombstone, second}, {});
  history.Append({At(13, 1), nullptr}, {});
  EXPECT_THAT(history.ObsoleteAfterTrim(10), ElementsAre());
  EXPECT_THAT(history.ObsoleteAfterTrim(11), ElementsAre(7));
  EXPECT_THAT(history.ObsoleteAfterTrim(13), ElementsAre(7, 11, 12));
}

}  // namespace
}  // namespace millwright::apiserver
