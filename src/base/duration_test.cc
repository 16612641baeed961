#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <cstdint>
#include <limits>

#include "base/time.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

struct FormatCase {
  const char* name;
  Duration duration;
  const char* want;
};

const FormatCase kFormats[] = {
    {"Zero", 0ns, "0s"},
    {"Nanoseconds", 999ns, "999ns"},
    {"WholeMicroseconds", 1us, "1\u00b5s"},
    {"FractionOfMicroseconds", 1100ns, "1.1\u00b5s"},
    {"FractionOfMilliseconds", 2200us, "2.2ms"},
    {"FractionOfSeconds", 3300ms, "3.3s"},
    {"SecondsKeepAllDigits", 1s + 1ns, "1.000000001s"},
    {"MinutesKeepTheZeroSeconds", 4min, "4m0s"},
    {"HoursKeepTheZeroMinutes", 5h + 6s, "5h0m6s"},
    {"EveryPart", 5h + 6min + 7s + 1ms, "5h6m7.001s"},
    {"DaysAreHours", 48h, "48h0m0s"},
    {"Negative", -90s, "-1m30s"},
    {"NegativeBelowASecond", -1500us, "-1.5ms"},
    {"Longest", Duration::max(), "2562047h47m16.854775807s"},
    {"MostNegative", Duration::min(), "-2562047h47m16.854775808s"},
};

class FormatDurationTest : public testing::TestWithParam<FormatCase> {};

TEST_P(FormatDurationTest, PrintsAsGo) {
  EXPECT_EQ(FormatDuration(GetParam().duration), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, FormatDurationTest, testing::ValuesIn(kFormats),
                         [](const auto& test) { return std::string(test.param.name); });

struct ParseCase {
  const char* name;
  const char* text;
  Duration want;
};

const ParseCase kParses[] = {
    {"BareZero", "0", 0ns},
    {"SignedZero", "-0", 0ns},
    {"ZeroWithUnit", "0s", 0ns},
    {"Seconds", "5s", 5s},
    {"PlusSign", "+5s", 5s},
    {"Negative", "-5s", -5s},
    {"NegativeCoversAllTerms", "-1h2m", -62min},
    {"Fraction", "1.5h", 90min},
    {"FractionWithoutWhole", ".5s", 500ms},
    {"PointWithoutFraction", "5.s", 5s},
    {"AsciiMicro", "10us", 10us},
    {"MicroSign", "10\u00b5s", 10us},
    {"GreekMu", "10\u03bcs", 10us},
    {"EveryUnit", "1h2m3s4ms5us6ns", 1h + 2min + 3s + 4ms + 5us + 6ns},
    {"AnyOrder", "3s1h", 1h + 3s},
    {"UnitsMayRepeat", "1s1s", 2s},
    {"FractionIsCutBelowANanosecond", "0.9ns", 0ns},
    {"FractionOfAnHour", "0.3333333333333333333h", 20min},
    {"FractionLongerThanAnIntegerHolds", "0.9007199254740993h", 54min + 2s + 591731706ns},
    {"FractionDigitsBeyondSixtyFourBits", "0.100000000000000000000h", 6min},
    {"LargeFractionStaysExact", "0.830103483285477580700h", 49min + 48s + 372539827ns},
    {"Longest", "9223372036854775807ns", Duration::max()},
    {"LongestInParts", "9223372036s854ms775us807ns", Duration::max()},
    {"MostNegative", "-9223372036854775808ns", Duration::min()},
    {"MostNegativeAsPrinted", "-2562047h47m16.854775808s", Duration::min()},
};

class ParseDurationTest : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseDurationTest, ReadsAsGo) {
  const auto duration = ParseDuration(GetParam().text);
  ASSERT_TRUE(duration) << duration.error().message();
  EXPECT_EQ(*duration, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ParseDurationTest, testing::ValuesIn(kParses),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* text;
};

const BadCase kBad[] = {
    {"Empty", ""},
    {"SignOnly", "-"},
    {"NumberOnly", "3"},
    {"UnitOnly", "s"},
    {"PointOnly", "."},
    {"PointAndUnit", ".s"},
    {"TwoPoints", "1.2.3s"},
    {"UnknownUnit", "1d"},
    {"UpperCaseUnit", "1H"},
    {"SpaceBetweenTerms", "1h 2m"},
    {"SpaceAround", " 1h"},
    {"SignInside", "1h-2m"},
    {"TwoSigns", "--1h"},
    {"MissingLastUnit", "1h2"},
    {"HalfAMicroSign", "1\xc2s"},
    {"PositiveOverflowByOne", "9223372036854775808ns"},
    {"NegativeOverflowByOne", "-9223372036854775809ns"},
    {"OverflowInHours", "2562048h"},
    {"OverflowOfTheSum", "9223372036s854ms775us808ns"},
    {"OverflowOfTheDigits", "99999999999999999999ns"},
    {"OverflowThatWrapsToZero", "9223372036854775808ns9223372036854775808ns"},
};

class ParseBadDurationTest : public testing::TestWithParam<BadCase> {};

TEST_P(ParseBadDurationTest, IsRefusedAndNamed) {
  const auto duration = ParseDuration(GetParam().text);
  ASSERT_FALSE(duration);
  EXPECT_EQ(duration.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(duration.error().message().find(GetParam().text), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ParseBadDurationTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FormatDuration, IsReadBackByParse) {
  EXPECT_TRUE(rc::check([](int64_t nanos) {
    const Duration duration(nanos);
    RC_ASSERT(*ParseDuration(FormatDuration(duration)) == duration);
  }));
}

}  // namespace
}  // namespace millwright
