#include "apiserver/housekeeping/owner_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OwnerGraphTest, FollowsWhatObjectsSay) {
  OwnerGraph graph;
  EXPECT_FALSE(graph.Set("/a", {}));
  EXPECT_TRUE(graph.Set("/a", {{.uid = "1"}, {.uid = "2", .blocks = true}}));
  EXPECT_TRUE(graph.Set("/b", {{.uid = "1"}}));
  EXPECT_FALSE(graph.Set("/b", {{.uid = "1"}}));
  EXPECT_THAT(graph.Dependents("1"), ElementsAre("/a", "/b"));
  EXPECT_FALSE(graph.IsBlocked("1"));
  EXPECT_TRUE(graph.IsBlocked("2"));
  EXPECT_TRUE(graph.Set("/a", {{.uid = "2"}}));
  EXPECT_THAT(graph.Dependents("1"), ElementsAre("/b"));
  EXPECT_FALSE(graph.IsBlocked("2"));
  graph.Forget("/b");
  EXPECT_THAT(graph.Dependents("1"), IsEmpty());
  EXPECT_THAT(graph.OwnersAt("/b"), IsEmpty());
}

TEST(OwnersOfTest, ReadsReferences) {
  EXPECT_THAT(OwnersOf(R"({"metadata":{"name":"a"}})"), IsEmpty());
  EXPECT_THAT(
      OwnersOf(
          R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u","blockOwnerDeletion":true}]}})"),
      ElementsAre(
          Owner{.api_version = "v1", .kind = "Node", .name = "n", .uid = "u", .blocks = true}));
}

}  // namespace
}  // namespace millwright::apiserver
