#include "cli/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "dialects/gardener/gardener.h"
#include "net/testing/scripted_http.h"

namespace millwright::cli {
namespace {

using testing::IsEmpty;

class ReadSeenTest : public testing::Test {
 protected:
  ~ReadSeenTest() override {
    EXPECT_THAT(http_.mismatches(), IsEmpty());
    EXPECT_TRUE(http_.exhausted());
  }

  void List(std::string resource, std::string items, std::string next = "") {
    http_.Answer("/" + resource, 200,
                 R"({"metadata":{"resourceVersion":"1","continue":")" + next + R"("},"items":[)" +
                     items + "]}");
  }

  Result<Seen> Read(bool with_secrets = false) {
    return *RunTask(process_, ReadSeen(client_, *dialect_, "x", with_secrets));
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  net::ScriptedHttp http_{process_.executor()};
  kube::Client client_{http_, "test"};
  std::unique_ptr<dialects::Dialect> dialect_ = dialects::gardener::MakeGardenerDialect();
};

TEST_F(ReadSeenTest, ReadsAllPagesAndSortsThem) {
  List("machinedeployments", "");
  List("machinesets", "");
  List("machines", R"({"metadata":{"name":"b","namespace":"x"}})", "more");
  List("machines", R"({"metadata":{"name":"a","namespace":"x"}})");
  List("machineclasses", "");
  List("nodes", "");
  const auto seen = Read();
  ASSERT_TRUE(seen) << seen.error().message();
  ASSERT_EQ(seen->machines.size(), 2u);
  EXPECT_EQ(seen->machines[0].meta.key.name, "a");
}

TEST_F(ReadSeenTest, WhatMayNotBeReadIsLeftOut) {
  constexpr const char* kForbidden =
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403})";
  List("machinedeployments", "");
  List("machinesets", "");
  List("machines", R"({"metadata":{"name":5}},{"metadata":{"name":"a","namespace":"x"}})");
  http_.Answer("/machineclasses", 403, kForbidden);
  http_.Answer("/nodes", 403, kForbidden);
  const auto seen = Read();
  ASSERT_TRUE(seen) << seen.error().message();
  EXPECT_EQ(seen->machines.size(), 1u);
  EXPECT_FALSE(seen->classes_known);
  EXPECT_FALSE(seen->nodes_known);
}

TEST_F(ReadSeenTest, MissingSecretsAreNoticed) {
  List("machinedeployments", "");
  List("machinesets", "");
  List("machines", "");
  List("machineclasses",
       R"({"metadata":{"name":"c","namespace":"x"},"provider":"p",
           "secretRef":{"name":"s","namespace":"x"}})");
  List("nodes", "");
  http_.Answer(
      "/secrets/s", 404,
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,
                   "details":{"name":"s","kind":"secrets"}})");
  const auto seen = Read(/*with_secrets=*/true);
  ASSERT_TRUE(seen) << seen.error().message();
  EXPECT_THAT(seen->missing_secrets, testing::ElementsAre(kube::ObjectKey{"x", "s"}));
}

TEST_F(ReadSeenTest, MachinesThemselvesAreNeeded) {
  http_.Answer(
      "/machinedeployments", 403,
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403})");
  EXPECT_EQ(Read().error().kind(), ErrorKind::kPermission);
}

}  // namespace
}  // namespace millwright::cli
