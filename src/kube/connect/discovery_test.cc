#include "kube/connect/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const GroupVersionResource kNodes{"", "v1", "nodes"};
const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kMachines{"cluster.x-k8s.io", "v1beta2", "machines"};

constexpr const char* kCore = R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
  {"name":"nodes","singularName":"node","namespaced":false,"kind":"Node",
   "verbs":["get","list","watch"],"shortNames":["no"]},
  {"name":"nodes/status","namespaced":false,"kind":"Node","verbs":["get"]},
  {"name":"pods","namespaced":true,"kind":"Pod","verbs":["get"]}]})";

TEST(ParseResourceListTest, LeavesOutSubresources) {
  const auto resources = ParseResourceList(kCore);
  ASSERT_TRUE(resources);
  EXPECT_THAT(
      *resources,
      ElementsAre(
          ApiResource{"nodes", "Node", false, {"get", "list", "watch"}, {"no"}},
          ApiResource{.resource = "pods", .kind = "Pod", .namespaced = true, .verbs = {"get"}}));
}

TEST(ParseResourceListTest, PassesOverWhatItCannotUse) {
  const auto resources = ParseResourceList(
      R"({"resources":[5,null,{"name":"a","kind":7,"namespaced":"yes","verbs":[1,"get"],"shortNames":{}}]})");
  ASSERT_TRUE(resources);
  EXPECT_THAT(*resources, ElementsAre(ApiResource{.resource = "a", .verbs = {"get"}}));
}

TEST(ParseResourceListTest, RefusesWhatIsNoList) {
  for (const char* text : {"", "[]", "null", "{}", R"({"resources":{}})", "<html>"}) {
    EXPECT_FALSE(ParseResourceList(text)) << text;
  }
}

class DiscoveryTest : public testing::Test {
 protected:
  ~DiscoveryTest() override { EXPECT_THAT(http_.mismatches(), IsEmpty()); }

  Result<std::optional<ApiResource>> Find(const GroupVersionResource& resource) {
    return *RunTask(process_, discovery_.Find(resource));
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "test"};
  Discovery discovery_{client_};
};

TEST_F(DiscoveryTest, AsksOncePerGroupAndVersion) {
  http_.Answer("GET /api/v1", 200, kCore);
  http_.Answer("GET /apis/cluster.x-k8s.io/v1beta2", 200,
               R"({"resources":[{"name":"machines","kind":"Machine","namespaced":true}]})");
  EXPECT_EQ((*Find(kNodes))->kind, "Node");
  EXPECT_EQ((*Find(kPods))->namespaced, true);
  EXPECT_EQ((*Find(kMachines))->kind, "Machine");
  EXPECT_EQ((*Find(kNodes))->kind, "Node");
  EXPECT_THAT(http_.log(), ElementsAre("GET /api/v1", "GET /apis/cluster.x-k8s.io/v1beta2"));
}

TEST_F(DiscoveryTest, AKindThatTheVersionLacksIsNone) {
  http_.Answer("GET /api/v1", 200, kCore);
  const auto found = Find({"", "v1", "unicorns"});
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST_F(DiscoveryTest, AGroupThatIsNotThereIsNoneAndIsAskedForAgain) {
  http_.Answer("GET /apis/cluster.x-k8s.io/v1beta2", 404, "404 page not found");
  http_.Answer("GET /apis/cluster.x-k8s.io/v1beta2", 200,
               R"({"resources":[{"name":"machines","kind":"Machine"}]})");
  EXPECT_FALSE(*Find(kMachines));
  EXPECT_TRUE(*Find(kMachines));
}

TEST_F(DiscoveryTest, AFailureIsNotNone) {
  http_.Answer("GET /api/v1", 503, "");
  http_.Answer("GET /api/v1", 200, "<html>");
  http_.Answer("GET /api/v1", 200, kCore);
  EXPECT_EQ(Find(kNodes).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Find(kNodes).error().kind(), ErrorKind::kInvalid);
  EXPECT_TRUE(*Find(kNodes));
}

TEST_F(DiscoveryTest, ForgetsWhenToldTo) {
  http_.Answer("GET /api/v1", 200, R"({"resources":[]})");
  http_.Answer("GET /api/v1", 200, kCore);
  EXPECT_FALSE(*Find(kNodes));
  EXPECT_FALSE(*Find(kNodes));
  discovery_.Forget();
  EXPECT_TRUE(*Find(kNodes));
}

}  // namespace
}  // namespace millwright::kube
