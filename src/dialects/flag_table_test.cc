#include "dialects/flag_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::dialects {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Flag kFlags[] = {{"name", FlagType::kText, "none", ""},
                           {"how-many", FlagType::kWhole, "3", ""},
                           {"rate", FlagType::kReal, "0.5", ""},
                           {"really", FlagType::kSwitch, "false", ""},
                           {"wait-time", FlagType::kDuration, "1m", ""},
                           {"old-thing", FlagType::kText, "", "", true},
                           {"v", FlagType::kWhole, "0", ""}};

Result<FlagValues> Parse(std::vector<std::string> words) { return ParseFlags(kFlags, words); }

TEST(FlagTableTest, WithoutWordsEveryFlagHasItsDefault) {
  const FlagValues values = *Parse({});
  EXPECT_EQ(values.Text("name"), "none");
  EXPECT_EQ(values.Whole("how-many"), 3);
  EXPECT_EQ(values.Real("rate"), 0.5);
  EXPECT_FALSE(values.Switch("really"));
  EXPECT_EQ(values.Time("wait-time"), 1min);
  EXPECT_FALSE(values.WasGiven("name"));
  EXPECT_THAT(values.ignored(), IsEmpty());
}

TEST(FlagTableTest, ValuesComeInAnyOfGosForms) {
  const FlagValues values =
      *Parse({"--name=a=b", "-how-many", "4", "--really", "--wait-time", "90s", "-v=4"});
  EXPECT_EQ(values.Text("name"), "a=b");
  EXPECT_EQ(values.Whole("how-many"), 4);
  EXPECT_TRUE(values.Switch("really"));
  EXPECT_EQ(values.Time("wait-time"), 90s);
  EXPECT_EQ(values.Whole("v"), 4);
  EXPECT_TRUE(values.WasGiven("name"));
}

TEST(FlagTableTest, ASwitchTakesNoWordThatFollows) {
  EXPECT_FALSE(Parse({"--really", "false"}));
  EXPECT_FALSE(Parse({"--really=False"})->Switch("really"));
}

TEST(FlagTableTest, UnderscoresAreDashesInNamesAndNotInValues) {
  const FlagValues values = *Parse({"--wait_time=2s", "--name=a_b"});
  EXPECT_EQ(values.Time("wait-time"), 2s);
  EXPECT_EQ(values.Text("name"), "a_b");
}

TEST(FlagTableTest, TheLastOneCounts) {
  EXPECT_EQ(Parse({"--name=a", "--name=b"})->Text("name"), "b");
}

TEST(FlagTableTest, AFlagWithoutEffectIsNamedOnce) {
  const FlagValues values = *Parse({"--old_thing=1", "--old-thing=2"});
  EXPECT_THAT(values.ignored(), ElementsAre("old-thing"));
}

TEST(FlagTableTest, WordsOfTwoTablesAreToldApart) {
  const std::vector<std::string> words{"--other", "x", "--name", "--y", "--really", "--z=1"};
  const SplitWords split = Split(kFlags, words);
  EXPECT_THAT(split.known, ElementsAre("--name", "--y", "--really"));
  EXPECT_THAT(split.others, ElementsAre("--other", "x", "--z=1"));
}

struct WrongCase {
  const char* name;
  std::vector<std::string> words;
  const char* says;
};

class WrongFlagTest : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongFlagTest, SaysWhatIsWrong) {
  const auto values = Parse(GetParam().words);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(values.error().message(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongFlagTest,
    testing::Values(WrongCase{"Unknown", {"--nmae=x"}, "no flag --nmae"},
                    WrongCase{"NoFlag", {"name"}, "'name' is not a flag"},
                    WrongCase{"OnlyDashes", {"--"}, "'--' is not a flag"},
                    WrongCase{"NoValue", {"--name"}, "--name needs a value"},
                    WrongCase{
                        "NoNumber", {"--how-many=3x"}, "--how-many: '3x' is not a whole number"},
                    WrongCase{"NoSwitch", {"--really=yes"}, "'yes' is not a true or false"},
                    WrongCase{"NoDuration", {"--wait-time=10"}, "'10' is not a duration"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::dialects
