#include "providers/grpc/grpc_cloud.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log_capture.h"
#include "base/task_group.h"
#include "base/virtual/run_task.h"
#include "net/testing/scripted_http.h"
#include "providers/grpc/hex_for_test.h"
#include "providers/grpc/status.h"

namespace millwright::providers::grpc {
namespace {

using namespace std::chrono_literals;
using core::CloudCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Answers as the provider "n" gives them, which serves "demo" and can do everything.
const std::string kInfo = FromHex("0a016e1201761a0464656d6f");
const std::string kAllAbilities = FromHex("0a0401020304");
const std::string kInstance = FromHex("0a080a06783a2f2f2f31");

class GrpcCloudTest : public testing::Test {
 protected:
  void Say(std::string method, const std::string& message) {
    http_.Answer("POST /millwright.provider.v1." + std::move(method), 200, Frame(message),
                 {{"content-type", "application/grpc"}, {"grpc-status", "0"}});
  }
  void Refuse(std::string method, CloudCode code, std::string text) {
    http_.Answer("POST /millwright.provider.v1." + std::move(method), 200, "",
                 {{"content-type", "application/grpc"},
                  {"grpc-status", std::to_string(static_cast<int>(code))},
                  {"grpc-message", std::move(text)}});
  }
  void Lose(std::string method, ErrorKind kind) {
    http_.Answer("POST /millwright.provider.v1." + std::move(method), Error(kind, "lost"));
  }
  void Introduce(const std::string& abilities = kAllAbilities) {
    Say("Identity/GetInfo", kInfo);
    Say("Identity/GetCapabilities", abilities);
    Say("Identity/Probe", "");
  }

  template <class T>
  T Run(Task<T> task) {
    auto outcome = RunTask(process_, std::move(task));
    if (!outcome) throw std::runtime_error("it did not end");
    return *std::move(outcome);
  }
  auto Get() { return Run(cloud_.Get(class_, kMachine)); }
  auto Remove() { return Run(cloud_.Remove(class_, kMachine)); }
  auto Create() {
    return Run(
        cloud_.Create(class_, {.machine = kMachine, .user_data = SecretText("#cloud-init")}));
  }

  Task<void> CountFound(int* found) {
    const auto answer = co_await cloud_.Get(class_, kMachine);
    *found += answer ? 1 : 0;
  }
  static Task<bool> Joined(TaskGroup* tasks) {
    co_await tasks->Join();
    co_return true;
  }
  Task<bool> Greeted() {
    co_await cloud_.Greet();
    co_return true;
  }

  void TearDown() override {
    EXPECT_THAT(http_.mismatches(), IsEmpty());
    EXPECT_TRUE(http_.exhausted());
  }

  static std::shared_ptr<const InstanceClass> MakeClass() {
    InstanceClass made{.name = "small", .provider_spec = "{}"};
    made.secrets.emplace("password", SecretText("correct horse"));
    return std::make_shared<const InstanceClass>(std::move(made));
  }

  const MachineIdentity kMachine{.uid = Uid("u-1"), .name = "m-1", .namespace_ = "shoot"};
  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  CapturingSink lines_;
  Log log_{lines_, clock_};
  net::ScriptedHttp http_{process_.executor()};
  std::shared_ptr<const InstanceClass> class_ = MakeClass();
  GrpcCloud cloud_{process_.executor(),
                   http_,
                   clock_,
                   log_.For("test"),
                   {.provider = "demo", .address = "https://demo:9443"}};
};

TEST_F(GrpcCloudTest, AsksWhoIsThereOnceAndThenForMachines) {
  Introduce();
  Say("Machines/Create", kInstance);
  Say("Machines/GetStatus", kInstance);
  const auto created = Create();
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_EQ(created->id, "x:///1");
  EXPECT_EQ(created->node, "m-1");
  EXPECT_TRUE(Get());
  const net::HttpRequest& create = http_.requests()[3];
  EXPECT_EQ(create.headers.Find("TE"), "trailers");
  EXPECT_EQ(create.headers.Find("grpc-timeout"), "1200000m");
  EXPECT_EQ(create.timeout, 20min);
  EXPECT_THAT(create.body, HasSubstr("u-1"));
  EXPECT_THAT(create.body, HasSubstr("correct horse"));
  EXPECT_THAT(create.body, HasSubstr("#cloud-init"));
}

TEST_F(GrpcCloudTest, UnreachableIsNotGone) {
  for (const ErrorKind kind :
       {ErrorKind::kUnavailable, ErrorKind::kInDoubt, ErrorKind::kUnauthenticated}) {
    Lose("Identity/GetInfo", kind);
    EXPECT_EQ(CodeOf(Get().error()), CloudCode::kUnavailable);
    Introduce();
    Lose("Machines/GetStatus", kind);
    EXPECT_EQ(CodeOf(Get().error()), CloudCode::kUnavailable);
    Introduce();
    Lose("Machines/Delete", kind);
    EXPECT_EQ(CodeOf(Remove().error()), CloudCode::kUnavailable);
  }
}

TEST_F(GrpcCloudTest, TroubleSaysWhereAndWhatItMayBe) {
  Lose("Identity/GetInfo", ErrorKind::kInDoubt);
  EXPECT_EQ(Get().error().message(),
            "provider demo at https://demo:9443: lost; perhaps it does not accept our certificate");
  Introduce();
  Lose("Machines/GetStatus", ErrorKind::kInDoubt);
  EXPECT_EQ(Get().error().message(), "provider demo at https://demo:9443: lost");
}

TEST_F(GrpcCloudTest, GoneIsWhatTheProviderCallsGone) {
  Introduce();
  Refuse("Machines/GetStatus", CloudCode::kNotFound, "no such VM");
  EXPECT_EQ(CodeOf(Get().error()), CloudCode::kNotFound);
  Say("Machines/Delete", "");
  EXPECT_TRUE(Remove());
}

TEST_F(GrpcCloudTest, AfterItWasAwayItSaysAgainWhoItIs) {
  Introduce();
  Lose("Machines/GetStatus", ErrorKind::kInDoubt);
  EXPECT_FALSE(Get());
  // Somebody else listens there now, and knows nothing of our machines.
  Say("Identity/GetInfo", FromHex("0a0378797a1a056f74686572"));
  const auto found = Get();
  EXPECT_EQ(CodeOf(found.error()), CloudCode::kFailedPrecondition);
  EXPECT_EQ(found.error().message(), "xyz answers there, which serves other and not demo");
}

TEST_F(GrpcCloudTest, AServerThatIsNoProviderHasNothingToSayAboutMachines) {
  Refuse("Identity/GetInfo", CloudCode::kUnimplemented, "unknown service");
  EXPECT_EQ(CodeOf(Get().error()), CloudCode::kInternal);
  Introduce();
  Refuse("Machines/Create", CloudCode::kUnimplemented, "");
  EXPECT_EQ(CodeOf(Create().error()), CloudCode::kInternal);
  Refuse("Machines/Delete", CloudCode::kUnimplemented, "");
  EXPECT_EQ(CodeOf(Remove().error()), CloudCode::kInternal);
}

TEST_F(GrpcCloudTest, OneThatIsNotReadyIsNotUsed) {
  Say("Identity/GetInfo", kInfo);
  Say("Identity/GetCapabilities", kAllAbilities);
  Refuse("Identity/Probe", CloudCode::kFailedPrecondition, "no quota file");
  EXPECT_EQ(Get().error().message(), "the provider is not ready: no quota file");
}

TEST_F(GrpcCloudTest, WithoutAnAbilityNobodyIsAsked) {
  EXPECT_TRUE(cloud_.capabilities().initialize);
  Introduce("");
  EXPECT_EQ(CodeOf(Get().error()), CloudCode::kUnimplemented);
  EXPECT_EQ(CodeOf(Run(cloud_.List(class_)).error()), CloudCode::kUnimplemented);
  EXPECT_EQ(CodeOf(Run(cloud_.Initialize(class_, {.machine = kMachine})).error()),
            CloudCode::kUnimplemented);
  EXPECT_EQ(CodeOf(Run(cloud_.VolumeIds(class_, {"{}"})).error()), CloudCode::kUnimplemented);
  EXPECT_FALSE(cloud_.capabilities().initialize);
  EXPECT_FALSE(cloud_.capabilities().list);
  EXPECT_THAT(http_.log(), SizeIs(3));
}

TEST_F(GrpcCloudTest, ManyMachinesWaitForOneIntroduction) {
  Introduce();
  for (int i = 0; i < 10; ++i) Say("Machines/GetStatus", kInstance);
  int found = 0;
  TaskGroup tasks(process_.executor());
  for (int i = 0; i < 10; ++i) {
    tasks.Spawn([this, &found] { return CountFound(&found); });
  }
  Run(Joined(&tasks));
  EXPECT_EQ(found, 10);
}

TEST_F(GrpcCloudTest, ARemovalTakesItsTime) {
  Introduce();
  const std::string pending = FromHex("0a0a0a0808021080cab5ee01");  // 2.5 s
  Say("Machines/Delete", pending);
  Say("Machines/Delete", pending);
  Say("Machines/Delete", "");
  const SteadyTime begun = clock_.Elapsed();
  EXPECT_TRUE(Remove());
  EXPECT_EQ(clock_.Elapsed() - begun, 5s);
}

TEST_F(GrpcCloudTest, ARemovalWithoutEndIsLate) {
  Introduce();
  const std::string in_an_hour = FromHex("0a050a0308901c");
  Say("Machines/Delete", in_an_hour);
  EXPECT_EQ(CodeOf(Remove().error()), CloudCode::kDeadlineExceeded);
}

TEST_F(GrpcCloudTest, AListIsWholeOrAnError) {
  Introduce();
  Say("Machines/List", FromHex("0a080a06783a2f2f2f31"
                               "120170"));
  Say("Machines/List", FromHex("0a080a06783a2f2f2f32"));
  const auto all = Run(cloud_.List(class_));
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_THAT(*all, ElementsAre(Instance{.id = "x:///1"}, Instance{.id = "x:///2"}));
  Say("Machines/List", FromHex("0a080a06783a2f2f2f31"
                               "120170"));
  Lose("Machines/List", ErrorKind::kInDoubt);
  EXPECT_EQ(CodeOf(Run(cloud_.List(class_)).error()), CloudCode::kUnavailable);
}

TEST_F(GrpcCloudTest, VolumeIdsAreOneForEach) {
  Introduce();
  Say("Machines/GetVolumeIDs", FromHex("0a01760a00"));
  EXPECT_THAT(*Run(cloud_.VolumeIds(class_, {"{}", "{}"})), ElementsAre("v", ""));
  Say("Machines/GetVolumeIDs", FromHex("0a0176"));
  EXPECT_EQ(CodeOf(Run(cloud_.VolumeIds(class_, {"{}", "{}"})).error()), CloudCode::kInternal);
}

TEST_F(GrpcCloudTest, NoSecretIsTold) {
  Introduce();
  Refuse("Machines/Create", CloudCode::kUnauthenticated, "wrong password: correct horse");
  const auto created = Create();
  EXPECT_EQ(CodeOf(created.error()), CloudCode::kUnauthenticated);
  EXPECT_EQ(created.error().message(), "wrong password: ***");
  for (const auto& line : lines_.lines()) {
    EXPECT_THAT(line, Not(HasSubstr("correct horse")));
    EXPECT_THAT(line, Not(HasSubstr("#cloud-init")));
  }
}

TEST_F(GrpcCloudTest, WhatCannotBeSentIsTheUsersToChange) {
  Introduce();
  const auto created = Run(cloud_.Create(
      class_, {.machine = kMachine, .user_data = SecretText(std::string(5 << 20, 'x'))}));
  EXPECT_EQ(CodeOf(created.error()), CloudCode::kInvalidArgument);
}

TEST_F(GrpcCloudTest, GreetsUntilSomebodyAnswersAndLogsTroubleOnce) {
  Lose("Identity/GetInfo", ErrorKind::kUnavailable);
  Lose("Identity/GetInfo", ErrorKind::kUnavailable);
  Introduce();
  const SteadyTime begun = clock_.Elapsed();
  Run(Greeted());
  EXPECT_EQ(clock_.Elapsed() - begun, 3s);
  EXPECT_EQ(lines_.Count("cannot be used"), 1U);
}

}  // namespace
}  // namespace millwright::providers::grpc
