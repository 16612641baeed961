#include "cli/command_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Words(std::vector<const char*> arguments) {
  return CommandWords(arguments);
}

TEST(CommandWordsTest, OtherCommandsStayAsTheyAre) {
  EXPECT_THAT(Words({"millwright"}), IsEmpty());
  EXPECT_THAT(Words({"bin/millwright", "watch", "controller", "--once"}),
              ElementsAre("watch", "controller", "--once"));
}

TEST(CommandWordsTest, TheControllersFlagsAreSetApart) {
  EXPECT_THAT(Words({"millwright", "controller", "--only=sets"}),
              ElementsAre("controller", "--", "--only=sets"));
  EXPECT_THAT(Words({"millwright", "--log", "debug", "--version", "controller", "--v=1"}),
              ElementsAre("--log", "debug", "--version", "controller", "--", "--v=1"));
}

TEST(CommandWordsTest, UnderTheNamesOfUpstreamsProgramsItIsThem) {
  EXPECT_THAT(
      Words({"/usr/bin/machine-controller-manager", "--safety-up=3"}),
      ElementsAre("controller", "--", "--dialect=gardener", "--only=sets", "--safety-up=3"));
  EXPECT_THAT(
      Words({"./machine-controller", "--log", "x"}),
      ElementsAre("controller", "--", "--dialect=gardener", "--only=machines", "--log", "x"));
}

}  // namespace
}  // namespace millwright::cli
