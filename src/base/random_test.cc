#include "base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace millwright {
namespace {

using namespace std::chrono_literals;
using testing::MatchesRegex;

// Draws what it is told.
class ScriptedRandom final : public Random {
 public:
  explicit ScriptedRandom(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  std::uint64_t Next() override { return values_.at(next_++); }

 private:
  std::vector<std::uint64_t> values_;
  std::size_t next_ = 0;
};

TEST(RandomTest, ASeedIsASequence) {
  SeededRandom a(7);
  SeededRandom b(7);
  SeededRandom other(8);
  const std::uint64_t first = a.Next();
  EXPECT_EQ(b.Next(), first);
  EXPECT_NE(other.Next(), first);
  EXPECT_EQ(a.Uuid(), b.Uuid());
}

TEST(RandomTest, BelowIsBelowAndFavoursNobody) {
  SeededRandom random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 7000; ++i) ++counts.at(random.Below(counts.size()));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(RandomTest, BelowDrawsAgainForWhatWouldFavourSmallNumbers) {
  // 2^64 is 1 more than a multiple of 3.
  ScriptedRandom random({UINT64_MAX, UINT64_MAX - 1});
  EXPECT_EQ(random.Below(3), (UINT64_MAX - 1) % 3);
}

TEST(RandomTest, UnitIsFromZeroToBelowOne) {
  ScriptedRandom random({0, UINT64_MAX, std::uint64_t{1} << 63});
  EXPECT_EQ(random.Unit(), 0);
  EXPECT_LT(random.Unit(), 1);
  EXPECT_EQ(random.Unit(), 0.5);
}

TEST(RandomTest, JitterOnlyAdds) {
  ScriptedRandom random({0, UINT64_MAX, std::uint64_t{1} << 63});
  EXPECT_EQ(random.Jitter(10s, 0.5), 10s);
  EXPECT_LT(random.Jitter(10s, 0.5), 15s);
  EXPECT_EQ(random.Jitter(10s, 1), 15s);
}

TEST(RandomTest, AUuidHasItsVersionAndVariant) {
  ScriptedRandom extremes({0, 0, UINT64_MAX, UINT64_MAX});
  EXPECT_EQ(extremes.Uuid(), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(extremes.Uuid(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  SystemRandom random;
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(random.Uuid());
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_THAT(*seen.begin(),
              MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

}  // namespace
}  // namespace millwright
