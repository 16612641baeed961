#include "cli/age.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

TEST(ShortAge, GetsCoarserWithTime) {
  struct Case {
    Duration age;
    std::string_view text;
  };
  const Case cases[] = {
      {-5s, "0s"},    {0s, "0s"},       {119s, "119s"},       {120s, "2m"},          {124s, "2m4s"},
      {10min, "10m"}, {179min, "179m"}, {3h, "3h"},           {3h + 5min, "3h5m"},   {47h, "47h"},
      {49h, "2d1h"},  {24h * 9, "9d"},  {24h * 800, "2y70d"}, {24h * 365 * 9, "9y"},
  };
  for (const Case& c : cases) EXPECT_EQ(ShortAge(c.age), c.text);
  EXPECT_EQ(AgeSince(WallTime(), WallTime(5s)), "<unknown>");
}

}  // namespace
}  // namespace millwright::cli
