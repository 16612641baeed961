#include "kube/api/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

namespace millwright::kube {
namespace {

using enum Quantity::Format;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Quantity Q(std::string_view text) {
  auto quantity = ParseQuantity(text);
  EXPECT_TRUE(quantity) << quantity.error().message();
  return quantity.value_or(Quantity());
}

struct TextCase {
  const char* name;
  const char* text;
  const char* want;
};

const TextCase kTexts[] = {
    {"Zero", "0", "0"},
    {"ZeroDropsItsSuffix", "0Ki", "0"},
    {"MinusZero", "-0", "0"},
    {"Whole", "12", "12"},
    {"PlusSign", "+1", "1"},
    {"LeadingZeros", "00012", "12"},
    {"TrailingPoint", "1.", "1"},
    {"LeadingPoint", ".5", "500m"},
    {"HalfBecomesMilli", "0.5", "500m"},
    {"MilliBecomesWhole", "1000m", "1"},
    {"MilliStaysWhenNotWhole", "1500m", "1500m"},
    {"FractionZerosVanish", "0012.500", "12500m"},
    {"Nano", "1n", "1n"},
    {"Micro", "1000n", "1u"},
    {"Kilo", "1000", "1k"},
    {"Mega", "1000k", "1M"},
    {"Giga", "1000M", "1G"},
    {"Tera", "1000G", "1T"},
    {"Peta", "1000T", "1P"},
    {"Exa", "1000P", "1E"},
    {"MixedKilo", "1500k", "1500k"},
    {"BelowNanoRoundsUp", "0.1n", "1n"},
    {"LongFractionRoundsUp", "0.00000000000000000000000000000000000000000000000000001", "1n"},
    {"NegativeRoundsAwayFromZero", "-0.00000000055", "-1n"},
    {"Kibi", "1Ki", "1Ki"},
    {"KibiCollects", "1024Mi", "1Gi"},
    {"BinaryStaysBinary", "2047Ki", "2047Ki"},
    {"BinaryFractionTakesASmallerSuffix", "1.5Gi", "1536Mi"},
    {"BinaryBelow1024IsDecimal", "0.5Ki", "512"},
    {"BinaryWithFractionIsDecimal", "0.3Ki", "307200m"},
    {"BinaryWithTinyFraction", "1.0000000000000000000000000000000001Ki", "1024000000001n"},
    {"LargestBinarySuffix", "7Ei", "7Ei"},
    {"NegativeBinary", "-1024Ki", "-1Mi"},
    {"ExponentLower", "1e3", "1e3"},
    {"ExponentUpper", "1E3", "1e3"},
    {"ExponentPlus", "1e+3", "1e3"},
    {"ExponentMinus", "1e-3", "1e-3"},
    {"ExponentBelowNano", "1e-30", "1e-9"},
    {"ExponentFarBelowNano", "1e-999999999999", "1e-9"},
    {"ExponentGoesInThrees", "5e5", "500e3"},
    {"ExponentCollects", "1000e3", "1e6"},
    {"ExponentZeroIsNotWritten", "1.1e3", "1100"},
    {"ZeroWithHugeExponent", "0e999999999999", "0"},
    {"FractionShiftedByExponent", "0.000000000000000000000000000001e30", "1"},
    {"CapsDecimal", "9223372036854775808", "9223372036854775807"},
    {"CapsBinary", "16Ei", "9223372036854775807"},
    {"CapsNegative", "-16Ei", "-9223372036854775807"},
    {"CapsExponent", "1e30", "9223372036854775807"},
    {"CapsHugeExponent", "1e999999999999", "9223372036854775807"},
    {"CapsJustAboveTheLargest", "9223372036854775807.5", "9223372036854775807"},
    {"KeepsTheLargest", "9223372036854775807", "9223372036854775807"},
};

class QuantityTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(QuantityTextTest, IsMadeCanonical) {
  const Quantity quantity = Q(GetParam().text);
  EXPECT_EQ(quantity.ToString(), GetParam().want);
  EXPECT_EQ(Q(quantity.ToString()), quantity);
}

INSTANTIATE_TEST_SUITE_P(All, QuantityTextTest, testing::ValuesIn(kTexts),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* text;
};

const BadCase kBad[] = {
    {"Empty", ""},
    {"SignOnly", "-"},
    {"PointOnly", "."},
    {"SuffixOnly", "Ki"},
    {"Word", "lots"},
    {"LeadingSpace", " 1"},
    {"TrailingSpace", "1 "},
    {"TwoSigns", "--1"},
    {"TwoPoints", "1.2.3"},
    {"CapitalKilo", "1K"},
    {"LowerCaseKibi", "1ki"},
    {"MilliBinary", "1mi"},
    {"BareI", "1i"},
    {"MicroSign", "1\u00b5"},
    {"BytesWritten", "1GiB"},
    {"Hexadecimal", "0x10"},
    {"ExponentWithoutNumber", "1e"},
    {"ExponentWithFraction", "1e3.5"},
    {"ExponentWithTwoSigns", "1e+-1"},
    {"ExponentBeyondSixtyFourBits", "1e99999999999999999999"},
    {"Infinity", "inf"},
    {"NotANumber", "NaN"},
    {"Comma", "1,5"},
};

class QuantityBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(QuantityBadTest, IsRefusedAndNamed) {
  const auto quantity = ParseQuantity(GetParam().text);
  ASSERT_FALSE(quantity);
  EXPECT_EQ(quantity.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(quantity.error().message().find(GetParam().text), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, QuantityBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

struct ValueCase {
  const char* name;
  const char* text;
  int64_t value;
  int64_t milli;
};

const ValueCase kValues[] = {
    {"Whole", "3", 3, 3000},
    {"UnitsRoundUp", "1500m", 2, 1500},
    {"ThousandthsRoundUp", "1n", 1, 1},
    {"NegativeUnitsRoundAway", "-1500m", -2, -1500},
    {"Binary", "1Gi", 1073741824, 1073741824000},
    {"ThousandthsAreCapped", "1E", 1'000'000'000'000'000'000, kMax},
    {"Largest", "9223372036854775807", kMax, kMax},
};

class QuantityValueTest : public testing::TestWithParam<ValueCase> {};

TEST_P(QuantityValueTest, RoundsAwayFromZero) {
  EXPECT_EQ(Q(GetParam().text).Value(), GetParam().value);
  EXPECT_EQ(Q(GetParam().text).MilliValue(), GetParam().milli);
}

INSTANTIATE_TEST_SUITE_P(All, QuantityValueTest, testing::ValuesIn(kValues),
                         [](const auto& test) { return std::string(test.param.name); });

struct SumCase {
  const char* name;
  const char* a;
  const char* b;
  const char* sum;
  const char* difference;
};

const SumCase kSums[] = {
    {"SameFormat", "1500m", "500m", "2", "1"},
    {"FirstFormatWins", "1Gi", "1024", "1048577Ki", "1048575Ki"},
    {"ZeroTakesTheOthersFormat", "0", "2Gi", "2Gi", "-2Gi"},
    {"NegativeTerms", "1", "-250m", "750m", "1250m"},
    {"SumsAreCapped", "7Ei", "7Ei", "9223372036854775807", "0"},
};

class QuantitySumTest : public testing::TestWithParam<SumCase> {};

TEST_P(QuantitySumTest, IsExact) {
  EXPECT_EQ((Q(GetParam().a) + Q(GetParam().b)).ToString(), GetParam().sum);
  EXPECT_EQ((Q(GetParam().a) - Q(GetParam().b)).ToString(), GetParam().difference);
}

INSTANTIATE_TEST_SUITE_P(All, QuantitySumTest, testing::ValuesIn(kSums),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Quantity, ComparesByAmount) {
  EXPECT_EQ(Q("1000m"), Q("1"));
  EXPECT_EQ(Q("1Ki"), Q("1024"));
  EXPECT_LT(Q("999m"), Q("1"));
  EXPECT_GT(Q("1Mi"), Q("1M"));
  EXPECT_LT(Q("-1"), Q("0"));
}

TEST(Quantity, IsBuiltFromNumbers) {
  EXPECT_EQ(Quantity(2048, kBinarySi).ToString(), "2Ki");
  EXPECT_EQ(Quantity::FromMilli(250).ToString(), "250m");
  EXPECT_EQ(Quantity(std::numeric_limits<int64_t>::min()).Value(), -kMax);
  EXPECT_TRUE(Quantity().IsZero());
  EXPECT_TRUE(Quantity(-1).IsNegative());
}

TEST(Quantity, CanonicalTextKeepsTheAmount) {
  EXPECT_TRUE(rc::check([](int64_t nanos, uint8_t scale) {
    __int128 amount = nanos;
    for (int i = 0; i < scale % 10; ++i) amount *= 10;
    for (const auto format : {kDecimalSi, kBinarySi, kDecimalExponent}) {
      const Quantity quantity = Quantity::FromNanos(amount, format);
      const auto again = ParseQuantity(quantity.ToString());
      RC_ASSERT(again.has_value());
      RC_ASSERT(*again == quantity);
      RC_ASSERT(again->ToString() == quantity.ToString());
    }
  }));
}

TEST(Quantity, SubtractionUndoesAddition) {
  EXPECT_TRUE(rc::check([](int64_t a, int64_t b) {
    const Quantity first = Quantity::FromNanos(a);
    const Quantity second = Quantity::FromNanos(b);
    RC_ASSERT(first + second - second == first);
  }));
}

}  // namespace
}  // namespace millwright::kube
