// `millwright controller` as far as it goes without a cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.h"

namespace millwright::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome Start(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = Main(static_cast<int>(words.size()), argv.data());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(ControllerCommandTest, HelpsWithAllFlags) {
  const Outcome outcome = Start({"millwright", "controller", "--dialect", "gardener", "--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("--safety-up NUMBER"), HasSubstr("--only"),
                                 HasSubstr("--machine-drain-timeout DURATION")));
}

TEST(ControllerCommandTest, ValuesThatAreNamesOfCommandsAreValues) {
  const Outcome outcome =
      Start({"millwright", "controller", "--namespace", "watch", "--target-kubeconfig", "none"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--target-kubeconfig=none needs --control-kubeconfig"));
}

TEST(ControllerCommandTest, AWrongFlagIsWrongUsage) {
  const Outcome outcome = Start({"millwright", "--log", "error", "controller", "--prot=1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no flag --prot"));
}

TEST(ControllerCommandTest, UnderUpstreamsNamesItHasTheirFlagsOnly) {
  const Outcome manager = Start({"/bin/machine-controller-manager", "--help"});
  EXPECT_EQ(manager.code, 0);
  EXPECT_THAT(manager.out, AllOf(HasSubstr("--safety-up"), Not(HasSubstr("--node-conditions"))));
  const Outcome machines = Start({"machine-controller", "--safety_up=1"});
  EXPECT_EQ(machines.code, 2);
  EXPECT_THAT(machines.err, HasSubstr("a flag of the machine-controller-manager"));
}

TEST(ControllerCommandTest, AClusterThatCannotBeFoundIsNamed) {
  const Outcome outcome =
      Start({"machine-controller", "--log-format", "x", "--control-kubeconfig=/nowhere"});
  EXPECT_EQ(outcome.code, 2) << "that flag is not one of upstream's";
  const Outcome missing = Start({"machine-controller", "--control-kubeconfig=/nowhere"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("the control cluster: cannot read the kubeconfig /nowhere"));
}

}  // namespace
}  // namespace millwright::cli
