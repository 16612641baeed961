#include "cli/contract_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::cli {
namespace {

using ::testing::IsEmpty;

class ReadContractTest : public ::testing::Test {
 protected:
  ~ReadContractTest() override {
    EXPECT_THAT(http_.mismatches(), IsEmpty());
    EXPECT_TRUE(http_.exhausted());
  }

  void List(std::string resource, std::string items) {
    http_.Answer("/" + resource, 200,
                 R"({"metadata":{"resourceVersion":"1"},"items":[)" + items + "]}");
  }

  void ListMachines() {
    List("clusters", "");
    List("machinedeployments", "");
    List("machinesets", "");
    List(
        "machines",
        R"({"metadata":{"name":"m","namespace":"x"},"spec":{"clusterName":"c","infrastructureRef":)"
        R"({"apiGroup":"test.dev","kind":"TestMachine","name":"m"}}})");
  }

  ContractSeen Read() {
    auto seen = *RunTask(process_, ReadContractSeen(client_, "x"));
    EXPECT_TRUE(seen) << seen.error().message();
    return seen ? *std::move(seen) : ContractSeen();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  net::ScriptedHttp http_{process_.executor()};
  kube::Client client_{http_, "test"};
};

TEST_F(ReadContractTest, ProvidersObjectsAreReadAsTheirDefinitionSays) {
  ListMachines();
  http_.Answer("/testmachines.test.dev", 200,
               R"({"metadata":{"name":"testmachines.test.dev","labels":)"
               R"({"cluster.x-k8s.io/v1beta2":"v1alpha1_v1"}}})");
  List(
      "v1/namespaces/x/testmachines",
      R"({"metadata":{"name":"m","namespace":"x"},"status":{"initialization":{"provisioned":true}}})");
  const ContractSeen seen = Read();
  const auto view = seen.Look(seen.machines.front(), seen.machines.front().spec.infrastructure);
  ASSERT_NE(view.seen, nullptr) << view.why_not;
  EXPECT_TRUE(view.seen->object.provisioned);
}

TEST_F(ReadContractTest, AKindThatMayNotBeReadOrIsNotThereIsNotAMissingObject) {
  ListMachines();
  http_.Answer(
      "/testmachines.test.dev", 403,
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403})");
  const ContractSeen seen = Read();
  EXPECT_EQ(seen.Look(seen.machines.front(), seen.machines.front().spec.infrastructure).why_not,
            "cannot be looked at: you may not read it");
}

}  // namespace
}  // namespace millwright::cli
