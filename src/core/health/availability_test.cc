#include "core/health/availability.h"

#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;

TEST(Availability, Capi_12_069_ReadyForLongEnough) {
  EXPECT_EQ(DecideAvailability(kNow - 5s, 10s, kNow), (Availability{.look_again = kNow + 5s}));
  EXPECT_EQ(DecideAvailability(kNow - 10s, 10s, kNow), (Availability{.available = true}));
  EXPECT_EQ(DecideAvailability(kNow, 0s, kNow), (Availability{.available = true}));
  EXPECT_EQ(DecideAvailability(std::nullopt, 0s, kNow), Availability{});
}

// A calendar that was a day ahead left its times on objects, or ours is a day behind.
TEST(Availability, NothingBecameReadyTomorrow) {
  EXPECT_EQ(DecideAvailability(kNow + 24h, 0s, kNow), (Availability{.available = true}));
  EXPECT_EQ(DecideAvailability(kNow + 24h, 10s, kNow), (Availability{.look_again = kNow + 10s}));
}

}  // namespace
}  // namespace millwright::core
