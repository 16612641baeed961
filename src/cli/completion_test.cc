#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace millwright::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    app_.add_option("--log", "What to log: and where");
    CLI::App* watch = app_.add_subcommand("watch", "Follow it, don't let go\nand more");
    watch->add_option("RESOURCE", "What");
    watch->add_option("-o,--output", "How");
    watch->add_flag("--once", once_, "Once");
    app_.add_subcommand("version", "Print the version");
  }

  std::string Script(const std::string& shell) {
    const auto script = CompletionScript(app_, shell);
    EXPECT_TRUE(script);
    return script.value_or("");
  }

  // What bash offers for the last of the words, on one line.
  std::string Offers(const std::string& words) {
    const std::string program =
        Script("bash") + "COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _millwright; echo -n \"${COMPREPLY[*]}\"";
    std::string quoted = "bash -c '";
    for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen((quoted + "'").c_str(), "r"),
                                                         pclose);
    std::array<char, 1024> text{};
    return {text.data(), std::fread(text.data(), 1, text.size(), pipe.get())};
  }

  bool once_ = false;
  CLI::App app_{"Tests", "millwright"};
};

TEST_F(CompletionTest, BashOffersWhatFits) {
  EXPECT_EQ(Offers("millwright ''"), "watch version --help --log");
  EXPECT_EQ(Offers("millwright w"), "watch");
  EXPECT_EQ(Offers("millwright --l"), "--log");
  EXPECT_EQ(Offers("millwright watch --o"), "--output --once");
  // Resources and values are no commands: the command before them still counts.
  EXPECT_EQ(Offers("millwright watch v1/nodes --o"), "--output --once");
  EXPECT_EQ(Offers("millwright --log debug watch --on"), "--once");
  EXPECT_EQ(Offers("millwright version w"), "");
}

TEST_F(CompletionTest, ZshGetsDescriptions) {
  const std::string script = Script("zsh");
  EXPECT_THAT(script, HasSubstr("#compdef millwright\n"));
  EXPECT_THAT(script, HasSubstr(R"('watch:Follow it, don'\''t let go')"));
  EXPECT_THAT(script, HasSubstr("'--log:What to log: and where'"));
  EXPECT_THAT(script, HasSubstr("'millwright watch') entries=("));
  EXPECT_THAT(script, Not(HasSubstr("and more")));
}

TEST_F(CompletionTest, FishKnowsWhereEachBelongs) {
  const std::string script = Script("fish");
  EXPECT_THAT(script, HasSubstr("complete -c millwright -n '__fish_use_subcommand' -f -a watch "
                                R"(-d 'Follow it, don'\''t let go')"));
  EXPECT_THAT(script,
              HasSubstr("complete -c millwright -n '__fish_seen_subcommand_from watch' -l once "));
}

TEST_F(CompletionTest, OtherShellsAreRefusedByName) {
  const auto script = CompletionScript(app_, "tcsh");
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().message(), "no completion for shell 'tcsh': bash, zsh or fish");
}

}  // namespace
}  // namespace millwright::cli
