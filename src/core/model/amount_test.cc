#include "core/model/amount.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace millwright::core {
namespace {

struct Case {
  const char* name;
  Amount amount;
  int total;
  Round round;
  int want;
};

const Case kCases[] = {
    {"ANumberIsItself", Amount::Of(3), 2, Round::kDown, 3},
    {"APercentageRoundsUpWhereAsked", Amount::Percent(39), 10, Round::kUp, 4},
    {"AndDown", Amount::Percent(39), 10, Round::kDown, 3},
    {"ExactStaysExact", Amount::Percent(50), 10, Round::kUp, 5},
    {"NothingOfNothing", Amount::Percent(100), 0, Round::kUp, 0},
    {"ZeroPercentIsZero", Amount::Percent(0), 7, Round::kUp, 0},
    {"MoreThanAll", Amount::Percent(150), 3, Round::kDown, 4},
    {"LargeTotalsDoNotOverflow", Amount::Percent(100), 2'000'000'000, Round::kUp, 2'000'000'000},
    {"SaturatesInsteadOfWrapping", Amount::Percent(200), 2'000'000'000, Round::kUp, 2'147'483'647},
};

class ResolveTest : public testing::TestWithParam<Case> {};

TEST_P(ResolveTest, GivesANumber) {
  const Case& c = GetParam();
  EXPECT_EQ(c.amount.Resolve(c.total, c.round), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, ResolveTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParsePercent, ReadsWhatEndsInAPercentSign) {
  ASSERT_TRUE(Amount::ParsePercent("25%"));
  EXPECT_EQ(*Amount::ParsePercent("25%"), Amount::Percent(25));
}

TEST(ParsePercent, RefusesTheRest) {
  for (const char* text : {"", "5", "%", "a%", "5 %", "5%%", "1.5%"}) {
    EXPECT_FALSE(Amount::ParsePercent(text)) << text;
  }
}

RC_GTEST_PROP(ResolvePercent, RoundingDiffersByAtMostOneAndBrackets, ()) {
  const int percent = *rc::gen::inRange(0, 300);
  const int total = *rc::gen::inRange(0, 100000);
  const Amount amount = Amount::Percent(percent);
  const int down = amount.Resolve(total, Round::kDown);
  const int up = amount.Resolve(total, Round::kUp);
  RC_ASSERT(up - down == 0 || up - down == 1);
  RC_ASSERT(down * 100LL <= static_cast<long long>(percent) * total);
  RC_ASSERT(up * 100LL >= static_cast<long long>(percent) * total);
}

}  // namespace
}  // namespace millwright::core
