// Machines as real processes. The program is a script: what a node agent does is tested elsewhere.
#include "providers/local/local_cloud.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/system_clock.h"
#include "providers/local/spawn.h"

namespace millwright::providers {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using core::CloudCode;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Ends when it is asked to. It says with what it was started, and counts its starts.
constexpr const char* kObedient = R"(#!/bin/sh
echo "$@" > state/arguments
cat /proc/sys/kernel/hostname > state/host
echo $$ > state/pid
echo started >> ../starts
trap 'echo ended; exit 0' TERM
touch state/ready
while :; do sleep 1000 & wait $!; done
)";
// Does not.
constexpr const char* kStubborn = R"(#!/bin/sh
trap '' TERM
touch state/ready
while :; do sleep 1000; done
)";

class LocalCloudTest : public testing::Test {
 protected:
  LocalCloudTest() {
    std::string path = fs::temp_directory_path() / "millwright-local-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = path;
    Program(kObedient);
    class_ = std::make_shared<const InstanceClass>(InstanceClass{.name = "small"});
  }

  ~LocalCloudTest() override {
    auto cloud = Cloud();
    for (const std::string uid : {"u-1", "u-2"}) {
      EXPECT_TRUE(Run(cloud.Remove(class_, Identity(uid))));
    }
    fs::remove_all(directory_);
  }

  void Program(std::string_view text) {
    const fs::path path = directory_ / "program";
    // Never written to while it may be running.
    fs::remove(path);
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_all);
  }

  LocalCloud Cloud(Duration grace = 10s) {
    return LocalCloud({.directory = directory_ / "machines",
                       .program = directory_ / "program",
                       .stop_grace = grace},
                      clock_, Logger());
  }

  static MachineIdentity Identity(const std::string& uid) {
    return {.uid = Uid(uid), .name = "m-" + uid, .namespace_ = "default", .instance = ""};
  }
  static CreateRequest Request(const std::string& uid) {
    return {.machine = Identity(uid), .user_data = SecretText("secret"), .remembered = ""};
  }

  template <class T>
  T Run(Task<T> task) {
    std::optional<T> outcome;
    boost::asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& error, T value) {
      if (error) std::rethrow_exception(error);
      outcome = std::move(value);
    });
    io_.restart();
    io_.run();
    return *std::move(outcome);
  }

  // Real processes take their time; there is nothing to be woken by.
  bool Until(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000 && !condition(); ++i) Run(SleepFor(clock_, 5ms));
    return condition();
  }

  // Once its program has set itself up.
  Instance CreateReady(LocalCloud& cloud, const std::string& uid) {
    const auto made = Run(cloud.Create(class_, Request(uid)));
    EXPECT_TRUE(made) << made.error().message();
    EXPECT_TRUE(Until([&] { return fs::exists(Folder(uid).state() / "ready"); }));
    return made.value();
  }

  MachineFolder Folder(const std::string& uid) const {
    return MachineFolder(directory_ / "machines" / uid);
  }

  std::string Text(const fs::path& path) const {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  CloudCode CodeOfGet(LocalCloud& cloud, const std::string& uid) {
    const auto got = Run(cloud.Get(class_, Identity(uid)));
    return got ? CloudCode::kOk : CodeOf(got.error()).value();
  }

  std::vector<std::string> Ids(LocalCloud& cloud) {
    std::vector<std::string> ids;
    for (const Instance& instance : Run(cloud.List(class_)).value()) ids.push_back(instance.id);
    return ids;
  }

  boost::asio::io_context io_{1};
  SystemClock clock_{io_.get_executor()};
  fs::path directory_;
  std::shared_ptr<const InstanceClass> class_;
};

TEST_F(LocalCloudTest, MakesAProcessThatKnowsWhoItIs) {
  class_ = std::make_shared<const InstanceClass>(
      InstanceClass{.name = "small", .provider_spec = R"({"cpu":"3","labels":{"a":"b"}})"});
  auto cloud = Cloud();
  const Instance made = CreateReady(cloud, "u-1");
  EXPECT_EQ(made.id, "local:///u-1");
  EXPECT_EQ(made.node, "m-u-1");
  EXPECT_EQ(made.machine_uid, Uid("u-1"));
  EXPECT_THAT(Text(Folder("u-1").state() / "arguments"),
              AllOf(HasSubstr("node-agent --user-data "), HasSubstr("--name m-u-1"),
                    HasSubstr("--provider-id local:///u-1"), HasSubstr("--cpu 3"),
                    HasSubstr("--label a=b")));
  EXPECT_EQ(Run(cloud.Get(class_, Identity("u-1"))).value().id, made.id);
  EXPECT_THAT(Ids(cloud), testing::ElementsAre("local:///u-1"));
}

TEST_F(LocalCloudTest, HasNamespacesOfItsOwnWhereThatIsAllowed) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  const auto name_space = [](const std::string& process) {
    std::error_code error;
    return fs::read_symlink("/proc/" + process + "/ns/pid", error);
  };
  const std::string pid = std::to_string(Folder("u-1").ReadProcess().value().pid);
  if (name_space(pid) == name_space("self")) GTEST_SKIP() << "not allowed here";
  EXPECT_EQ(Text(Folder("u-1").state() / "pid"), "1\n");
  EXPECT_EQ(Text(Folder("u-1").state() / "host"), "m-u-1\n");
}

TEST_F(LocalCloudTest, MakesOnlyOneForAMachine) {
  auto cloud = Cloud();
  auto other = Cloud();
  const Instance made = CreateReady(cloud, "u-1");
  const auto process = Folder("u-1").ReadProcess();
  EXPECT_EQ(Run(cloud.Create(class_, Request("u-1"))).value().id, made.id);
  EXPECT_EQ(Run(other.Create(class_, Request("u-1"))).value().id, made.id);
  EXPECT_EQ(Folder("u-1").ReadProcess(), process);
  EXPECT_EQ(Text(directory_ / "machines" / "starts"), "started\n");
}

TEST_F(LocalCloudTest, OnlyOneMakesItAtATime) {
  auto cloud = Cloud();
  fs::create_directories(directory_ / "machines");
  {
    const auto lock = MakeAndLock(Folder("u-1"));
    ASSERT_TRUE(lock);
    const auto made = Run(cloud.Create(class_, Request("u-1")));
    ASSERT_FALSE(made);
    EXPECT_EQ(CodeOf(made.error()), CloudCode::kAborted);
    const auto removed = Run(cloud.Remove(class_, Identity("u-1")));
    ASSERT_FALSE(removed);
    EXPECT_EQ(CodeOf(removed.error()), CloudCode::kAborted);
  }
  CreateReady(cloud, "u-1");
}

TEST_F(LocalCloudTest, UserDataIsForItsOwner) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  const MachineFolder folder = Folder("u-1");
  EXPECT_EQ(Text(folder.user_data()), "secret");
  for (const fs::path& path : {folder.path(), folder.user_data(), folder.state(), folder.log()}) {
    EXPECT_EQ(fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all),
              fs::perms::none)
        << path;
  }
}

TEST_F(LocalCloudTest, AKilledProcessIsALostMachine) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  SendSignal(Folder("u-1").ReadProcess().value(), SIGKILL);
  EXPECT_TRUE(Until([&] { return CodeOfGet(cloud, "u-1") == CloudCode::kNotFound; }));
  // What is left of it is still to be removed.
  EXPECT_THAT(Ids(cloud), testing::ElementsAre("local:///u-1"));
  EXPECT_TRUE(Run(cloud.Remove(class_, Identity("u-1"))));
  EXPECT_THAT(Ids(cloud), IsEmpty());
}

TEST_F(LocalCloudTest, ALostMachineCanBeMadeAgainWithAnEmptyDisk) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  std::ofstream(Folder("u-1").state() / "certificate") << "old";
  const ProcessId first = Folder("u-1").ReadProcess().value();
  SendSignal(first, SIGKILL);
  ASSERT_TRUE(Until([&] { return !IsAlive(first); }));
  CreateReady(cloud, "u-1");
  EXPECT_NE(Folder("u-1").ReadProcess(), first);
  EXPECT_FALSE(fs::exists(Folder("u-1").state() / "certificate"));
}

TEST_F(LocalCloudTest, FindsItsMachinesAgain) {
  {
    auto cloud = Cloud();
    CreateReady(cloud, "u-1");
  }
  auto next = Cloud();
  EXPECT_EQ(CodeOfGet(next, "u-1"), CloudCode::kOk);
  EXPECT_THAT(Ids(next), testing::ElementsAre("local:///u-1"));
}

TEST_F(LocalCloudTest, RemovingLeavesNothing) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  const ProcessId process = Folder("u-1").ReadProcess().value();
  EXPECT_TRUE(Run(cloud.Remove(class_, Identity("u-1"))));
  EXPECT_FALSE(IsAlive(process));
  EXPECT_FALSE(Folder("u-1").Exists());
  EXPECT_THAT(Ids(cloud), IsEmpty());
  EXPECT_TRUE(Run(cloud.Remove(class_, Identity("u-1"))));
  EXPECT_EQ(CodeOfGet(cloud, "u-1"), CloudCode::kNotFound);
}

TEST_F(LocalCloudTest, WhatDoesNotEndIsEnded) {
  Program(kStubborn);
  auto cloud = Cloud(20ms);
  CreateReady(cloud, "u-1");
  const ProcessId process = Folder("u-1").ReadProcess().value();
  EXPECT_TRUE(Run(cloud.Remove(class_, Identity("u-1"))));
  EXPECT_FALSE(IsAlive(process));
}

TEST_F(LocalCloudTest, AnOrphanIsRemovedByItsInstance) {
  auto cloud = Cloud();
  const Instance made = CreateReady(cloud, "u-1");
  EXPECT_TRUE(
      Run(cloud.Remove(class_, {.uid = Uid(), .name = "", .namespace_ = "", .instance = made.id})));
  EXPECT_FALSE(Folder("u-1").Exists());
}

TEST_F(LocalCloudTest, GoesOnFromWhereACrashLeftIt) {
  auto cloud = Cloud();
  fs::create_directories(Folder("u-1").path());
  EXPECT_EQ(CodeOfGet(cloud, "u-1"), CloudCode::kNotFound);
  EXPECT_THAT(Ids(cloud), testing::ElementsAre("local:///u-1"));
  CreateReady(cloud, "u-1");
  EXPECT_EQ(CodeOfGet(cloud, "u-1"), CloudCode::kOk);
}

TEST_F(LocalCloudTest, ANumberUsedAgainIsNotOurs) {
  auto cloud = Cloud();
  fs::create_directories(Folder("u-1").path());
  ProcessId us = FindProcess(::getpid()).value();
  EXPECT_TRUE(IsAlive(us));
  us.began -= 1;
  ASSERT_TRUE(Folder("u-1").WriteProcess(us));
  ASSERT_TRUE(Folder("u-1").WriteRecord(
      {.name = "m", .namespace_ = "", .uid = Uid("u-1"), .class_name = "small", .made = {}}));
  EXPECT_EQ(CodeOfGet(cloud, "u-1"), CloudCode::kNotFound);
  // Or this test would end here.
  EXPECT_TRUE(Run(cloud.Remove(class_, Identity("u-1"))));
}

TEST_F(LocalCloudTest, ListsOneClass) {
  auto cloud = Cloud();
  CreateReady(cloud, "u-1");
  class_ = std::make_shared<const InstanceClass>(InstanceClass{.name = "large"});
  CreateReady(cloud, "u-2");
  EXPECT_THAT(Ids(cloud), testing::ElementsAre("local:///u-2"));
}

TEST_F(LocalCloudTest, SaysWhyItCannot) {
  auto cloud = Cloud();
  fs::remove(directory_ / "program");
  const auto made = Run(cloud.Create(class_, Request("u-1")));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), AllOf(HasSubstr("program"), HasSubstr("No such file")));
  EXPECT_EQ(CodeOfGet(cloud, "u-1"), CloudCode::kNotFound);
  const auto no_uid = Run(cloud.Create(class_, Request("../x")));
  ASSERT_FALSE(no_uid);
  EXPECT_EQ(CodeOf(no_uid.error()), CloudCode::kInvalidArgument);
}

TEST_F(LocalCloudTest, AProcessThatIsNotOnRecordDoesNothing) {
  Program("#!/bin/sh\ntouch ran\n");
  std::optional<ProcessId> seen;
  const auto spawned = SpawnDetached({.command = {(directory_ / "program").string()},
                                      .environment = {},
                                      .directory = directory_,
                                      .log = directory_ / "log",
                                      .host_name = "x"},
                                     [&](const ProcessId& process) -> Result<void> {
                                       seen = process;
                                       return Fail(ErrorKind::kPermission, "disk full");
                                     });
  EXPECT_FALSE(spawned);
  EXPECT_TRUE(Until([&] { return !IsAlive(*seen); }));
  EXPECT_FALSE(fs::exists(directory_ / "ran"));
}

}  // namespace
}  // namespace millwright::providers
