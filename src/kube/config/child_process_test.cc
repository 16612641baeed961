#include "kube/config/child_process.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dirent.h>
#include <sys/wait.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/system_clock.h"
#include "base/task_group.h"
#include "kube/config/auth.h"

namespace millwright::kube {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::HasSubstr;

// Real processes on a real loop, from scripts in a folder of their own.
class ChildProcessTest : public testing::Test {
 protected:
  ChildProcessTest() {
    std::string pattern = testing::TempDir() + "millwright-child-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ChildProcessTest() override {
    std::filesystem::remove_all(folder_);
    // Whatever happened in a test, no child is left.
    EXPECT_TRUE(::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
  }

  std::string Script(const std::string& body) {
    const std::string path = folder_ + "/plugin";
    std::ofstream(path) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  Result<ChildResult> Run(ChildCommand command) {
    return Await(RunChild(clock_, std::move(command)));
  }
  Result<ChildResult> RunScript(const std::string& body) {
    return Run({.program = Script(body), .env = kEnv});
  }

  template <class T>
  T Await(Task<T> task) {
    std::optional<T> outcome;
    asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& error, T value) {
      if (error) std::rethrow_exception(error);
      outcome = std::move(value);
    });
    loop_.restart();
    loop_.run();
    return std::move(*outcome);
  }

  inline static const std::vector<std::string> kEnv = {"PATH=/usr/bin:/bin", "A=b c"};

  std::string folder_;
  asio::io_context loop_{1};
  SystemClock clock_{loop_.get_executor()};
};

TEST_F(ChildProcessTest, CollectsWhatItPrints) {
  const auto got = RunScript("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->exit_code, 3);
  EXPECT_EQ(got->out.Reveal(), "out\n");
  EXPECT_EQ(got->err, "err\n");
}

TEST_F(ChildProcessTest, ArgumentsAndEnvironmentArriveAsTheyAre) {
  const auto got = Run({.program = Script(R"(printf '%s|' "$@" "$A" "$HOME")"),
                        .args = {"a b", "$(false)", "*", ""},
                        .env = kEnv});
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->out.Reveal(), "a b|$(false)|*||b c||");
}

TEST_F(ChildProcessTest, FindsTheProgramInItsPath) {
  Script("echo found");
  const auto got = Run({.program = "plugin", .env = {"PATH=/nowhere::" + folder_ + ":/bin"}});
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->out.Reveal(), "found\n");
}

TEST_F(ChildProcessTest, KnowsThatThereIsNone) {
  EXPECT_EQ(Run({.program = "no-such-plugin", .env = kEnv}).error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(Run({.program = folder_ + "/no", .env = kEnv}).error().kind(), ErrorKind::kNotFound);
}

TEST_F(ChildProcessTest, SaysWhyItCannotStart) {
  const std::string path = folder_ + "/plain";
  std::ofstream(path) << "text";
  const auto got = Run({.program = path, .env = kEnv});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message(), "starting it: Permission denied");
}

TEST_F(ChildProcessTest, MoreThanAPipeHolds) {
  const auto got = RunScript("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->out.Reveal().size(), 300000U);
  EXPECT_EQ(got->err.size(), 4096U);
}

TEST_F(ChildProcessTest, RefusesTooMuch) {
  const auto got = RunScript("head -c 3000000 /dev/zero");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message(), "it printed more than a megabyte");
}

TEST_F(ChildProcessTest, ItHasNoInput) {
  const auto got = RunScript("cat; echo end");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->out.Reveal(), "end\n");
}

TEST_F(ChildProcessTest, InheritsNoneOfOurFiles) {
  const auto got = RunScript("ls /proc/self/fd | wc -l");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->out.Reveal(), "4\n") << "three, and the one ls reads the folder with";
}

TEST_F(ChildProcessTest, ASignalIsAnExitCode) {
  const auto got = RunScript("kill -TERM $$");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->exit_code, 143);
}

TEST_F(ChildProcessTest, IsKilledWhenItsTimeIsUp) {
  const auto got = Run({.program = Script("sleep 60 & sleep 60"), .env = kEnv, .timeout = 50ms});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(got.error().message(), "it did not end within 50ms");
}

TEST_F(ChildProcessTest, WhatOutlivesItIsNotWaitedFor) {
  // The background process keeps the pipe open.
  const auto got = RunScript("sleep 5 & echo $!; exit 0");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->exit_code, 0);
  ::kill(std::stoi(got->out.Reveal()), SIGKILL);
}

TEST_F(ChildProcessTest, IsKilledWhenTheCallerIsCancelled) {
  const std::string script = Script("echo ready > " + folder_ + "/ready; sleep 60");
  std::optional<Result<ChildResult>> got;
  TaskGroup group(loop_.get_executor());
  struct Runner {
    static Task<void> Run(Clock& clock, std::string program,
                          std::optional<Result<ChildResult>>* into) {
      *into = co_await RunChild(clock, {.program = std::move(program), .env = kEnv});
    }
  };
  group.Spawn([&] { return Runner::Run(clock_, script, &got); });
  while (!std::filesystem::exists(folder_ + "/ready")) loop_.run_one_for(1ms);
  group.Cancel();
  loop_.run();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->error().kind(), ErrorKind::kCancelled);
}

TEST_F(ChildProcessTest, IsKilledWithTheLoopItRanOn) {
  auto loop = std::make_unique<asio::io_context>(1);
  auto clock = std::make_unique<SystemClock>(loop->get_executor());
  const std::string script = Script("echo ready > " + folder_ + "/ready; sleep 60");
  asio::co_spawn(*loop, RunChild(*clock, {.program = script, .env = kEnv}),
                 [](const std::exception_ptr&, const Result<ChildResult>&) {});
  while (!std::filesystem::exists(folder_ + "/ready")) loop->run_one_for(1ms);
  clock.reset();
  loop.reset();
}

TEST_F(ChildProcessTest, AnExecPluginFromEndToEnd) {
  const std::string script = Script(
      "echo run >> " + folder_ +
      "/runs\n"
      "case \"$KUBERNETES_EXEC_INFO\" in *'\"interactive\":false'*) ;; *) echo \"$0: bad info\" "
      ">&2; exit 1;; esac\n"
      "printf '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",'\n"
      "printf '\"status\":{\"token\":\"%s\"}}' \"$1-$A\"\n");
  const ClientConfig config{
      .server = "https://h",
      .credentials = ExecPlugin{.command = script,
                                .args = {"tok"},
                                .env = {{"A", "en"}},
                                .api_version = "client.authentication.k8s.io/v1"}};
  auto source = AuthSource::Create(config, {.executor = loop_.get_executor(),
                                            .clock = clock_,
                                            .surroundings = SurroundingsOfThisProcess()});
  ASSERT_TRUE(source);
  for (int i = 0; i < 3; ++i) {
    const auto state = Await((*source)->Current());
    ASSERT_TRUE(state) << state.error().message();
    EXPECT_EQ(state->authorization->Reveal(), "Bearer tok-en");
  }
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/runs"), 4U) << "it ran once";
}

TEST_F(ChildProcessTest, AFailingExecPluginIsQuoted) {
  const std::string script = Script("echo 'please log in' >&2; exit 2");
  const ClientConfig config{
      .credentials =
          ExecPlugin{.command = script, .api_version = "client.authentication.k8s.io/v1"}};
  auto source = AuthSource::Create(config, {.executor = loop_.get_executor(),
                                            .clock = clock_,
                                            .surroundings = SurroundingsOfThisProcess()});
  ASSERT_TRUE(source);
  const auto state = Await((*source)->Current());
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message(), HasSubstr("it failed with exit code 2: please log in"));
}

}  // namespace
}  // namespace millwright::kube
