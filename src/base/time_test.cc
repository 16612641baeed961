#include "base/time.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <chrono>

namespace millwright {
namespace {

using namespace std::chrono_literals;

WallTime At(int year, unsigned month, unsigned day, Duration of_day = Duration::zero()) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  return WallTime(std::chrono::sys_days(date)) + of_day;
}

struct TimeCase {
  const char* name;
  const char* text;
  WallTime want;
};

const TimeCase kTimes[] = {
    {"Epoch", "1970-01-01T00:00:00Z", At(1970, 1, 1)},
    {"PlainUtc", "2026-11-15T10:02:03Z", At(2026, 11, 15, 10h + 2min + 3s)},
    {"MicroTime", "2026-11-15T10:00:00.000001Z", At(2026, 11, 15, 10h + 1us)},
    {"ShortFraction", "2026-11-15T10:00:00.5Z", At(2026, 11, 15, 10h + 500ms)},
    {"FractionBelowANanosecondIsCutOff", "2026-11-15T10:00:00.1234567899Z",
     At(2026, 11, 15, 10h + 123456789ns)},
    {"EastOfGreenwichIsEarlier", "2026-11-15T10:00:00+05:30", At(2026, 11, 15, 4h + 30min)},
    {"WestOfGreenwichIsLater", "2026-11-15T22:00:00-08:00", At(2026, 11, 16, 6h)},
    {"ZeroOffset", "2026-11-15T10:00:00-00:00", At(2026, 11, 15, 10h)},
    {"LeapDay", "2024-02-29T00:00:00Z", At(2024, 2, 29)},
    {"LeapDayOfACentury", "2000-02-29T00:00:00Z", At(2000, 2, 29)},
    {"BeforeTheEpochWithAFraction", "1969-12-31T23:59:59.75Z", At(1970, 1, 1, -250ms)},
    {"EarliestNanosecond", "1677-09-21T00:12:43.145224192Z", WallTime::min()},
    {"LatestNanosecond", "2262-04-11T23:47:16.854775807Z", WallTime::max()},
};

class ParseTimeTest : public testing::TestWithParam<TimeCase> {};

TEST_P(ParseTimeTest, Reads) {
  const auto time = ParseTime(GetParam().text);
  ASSERT_TRUE(time) << time.error().message();
  EXPECT_EQ(*time, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ParseTimeTest, testing::ValuesIn(kTimes),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* text;
};

const BadCase kBadTimes[] = {
    {"Empty", ""},
    {"Word", "yesterday"},
    {"DateOnly", "2026-11-15"},
    {"NoZone", "2026-11-15T10:00:00"},
    {"SpaceInsteadOfT", "2026-11-15 10:00:00Z"},
    {"LowerCaseT", "2026-11-15t10:00:00Z"},
    {"LowerCaseZ", "2026-11-15T10:00:00z"},
    {"MonthZero", "2026-00-15T10:00:00Z"},
    {"MonthThirteen", "2026-13-15T10:00:00Z"},
    {"DayZero", "2026-11-00T10:00:00Z"},
    {"ThirtyFirstOfNovember", "2026-11-31T10:00:00Z"},
    {"LeapDayInACommonYear", "2026-02-29T10:00:00Z"},
    {"LeapDayInACommonCentury", "1900-02-29T10:00:00Z"},
    {"HourTwentyFour", "2026-11-15T24:00:00Z"},
    {"MinuteSixty", "2026-11-15T10:60:00Z"},
    {"LeapSecond", "2016-12-31T23:59:60Z"},
    {"OneDigitHour", "2026-11-15T1:00:00Z"},
    {"EmptyFraction", "2026-11-15T10:00:00.Z"},
    {"SignInsideANumber", "2026-11-15T+1:00:00Z"},
    {"TextAfterwards", "2026-11-15T10:00:00Zx"},
    {"OffsetWithoutColon", "2026-11-15T10:00:00+0100"},
    {"OffsetOfADay", "2026-11-15T10:00:00+24:00"},
    {"OffsetMinutesSixty", "2026-11-15T10:00:00+01:60"},
    {"GoZeroTime", "0001-01-01T00:00:00Z"},
    {"NanosecondTooEarly", "1677-09-21T00:12:43.145224191Z"},
    {"NanosecondTooLate", "2262-04-11T23:47:16.854775808Z"},
};

class ParseBadTimeTest : public testing::TestWithParam<BadCase> {};

TEST_P(ParseBadTimeTest, IsRefusedAndNamed) {
  const auto time = ParseTime(GetParam().text);
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(time.error().message().find(GetParam().text), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ParseBadTimeTest, testing::ValuesIn(kBadTimes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FormatTime, CutsToTheSecond) {
  EXPECT_EQ(FormatTime(At(2026, 11, 15, 10h + 999ms)), "2026-11-15T10:00:00Z");
  EXPECT_EQ(FormatTime(At(1970, 1, 1, -1ns)), "1969-12-31T23:59:59Z");
}

TEST(FormatMicroTime, AlwaysHasSixDigits) {
  EXPECT_EQ(FormatMicroTime(At(2026, 11, 15, 10h)), "2026-11-15T10:00:00.000000Z");
  EXPECT_EQ(FormatMicroTime(At(2026, 11, 15, 10h + 1'500ns)), "2026-11-15T10:00:00.000001Z");
  EXPECT_EQ(FormatMicroTime(At(1970, 1, 1, -1us)), "1969-12-31T23:59:59.999999Z");
}

TEST(FormatTime, IsReadBackByParse) {
  EXPECT_TRUE(rc::check([] {
    const auto seconds = *rc::gen::inRange<int64_t>(-9'000'000'000, 9'000'000'000);
    const auto micros = *rc::gen::inRange<int64_t>(0, 1'000'000);
    const WallTime time(std::chrono::seconds(seconds) + std::chrono::microseconds(micros));
    RC_ASSERT(*ParseTime(FormatMicroTime(time)) == time);
    RC_ASSERT(*ParseTime(FormatTime(time)) == WallTime(std::chrono::seconds(seconds)));
  }));
}

}  // namespace
}  // namespace millwright
