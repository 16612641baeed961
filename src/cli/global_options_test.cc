#include "cli/global_options.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

struct LogCase {
  const char* name;
  const char* levels;
  const char* format;
  bool json;
  bool valid;
};

class GlobalOptionsTest : public testing::TestWithParam<LogCase> {};

TEST_P(GlobalOptionsTest, BecomeThoseOfTheProcess) {
  GlobalOptions global;
  global.log_levels = GetParam().levels;
  global.log_format = GetParam().format;
  const auto options = global.ForProcess();
  ASSERT_EQ(options.has_value(), GetParam().valid);
  if (options) EXPECT_EQ(options->log_json, GetParam().json);
}

INSTANTIATE_TEST_SUITE_P(All, GlobalOptionsTest,
                         testing::Values(LogCase{"Default", "info", "text", false, true},
                                         LogCase{"ByModule", "warning,kube=debug", "json", true,
                                                 true},
                                         LogCase{"NoSuchLevel", "loud", "text", false, false}),
                         [](const auto& test) { return std::string(test.param.name); });

class OptionsTest : public testing::Test {
 protected:
  // True if the words make sense.
  bool Parses(std::vector<std::string> words) {
    CLI::App app;
    global_ = {};
    cluster_ = {};
    global_.AddTo(app);
    cluster_.AddTo(app);
    std::ranges::reverse(words);  // as CLI11 wants them
    try {
      app.parse(std::move(words));
    } catch (const CLI::ParseError&) {
      return false;
    }
    return true;
  }

  GlobalOptions global_;
  ClusterOptions cluster_;
};

TEST_F(OptionsTest, AreTakenFromTheCommandLine) {
  ASSERT_TRUE(Parses({"--log", "debug", "--log-format", "json", "--kubeconfig", "/k", "--context",
                      "c", "-n", "ns"}));
  EXPECT_EQ(global_.log_levels, "debug");
  EXPECT_EQ(global_.log_format, "json");
  EXPECT_EQ(cluster_.load.kubeconfig, "/k");
  EXPECT_EQ(cluster_.load.context, "c");
  EXPECT_EQ(cluster_.name_space, "ns");
  EXPECT_FALSE(cluster_.all_namespaces);
}

TEST_F(OptionsTest, AllNamespacesAreNotOne) {
  EXPECT_TRUE(Parses({"-A"}));
  EXPECT_TRUE(cluster_.all_namespaces);
  EXPECT_FALSE(Parses({"-A", "-n", "ns"}));
}

TEST_F(OptionsTest, OtherFormatsAreRefused) { EXPECT_FALSE(Parses({"--log-format", "xml"})); }

}  // namespace
}  // namespace millwright::cli
