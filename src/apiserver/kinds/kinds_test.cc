#include "apiserver/kinds/kinds.h"

#include <gtest/gtest.h>

#include "apiserver/builtin/schema.h"

namespace millwright::apiserver {
namespace {

TEST(KindsTest, EveryKindHasASchema) {
  Registry registry;
  AddBuiltinKinds(registry);
  for (const ResourcePtr& resource : registry.Preferred()) {
    EXPECT_NE(resource->schema(), nullptr) << resource->kind.ToString();
  }
}

TEST(KindsTest, CoreComesFirst) {
  Registry registry;
  AddBuiltinKinds(registry);
  EXPECT_EQ(registry.groups().front().name, "");
  const auto pods = registry.Find("", "v1", "pods");
  ASSERT_NE(pods, nullptr);
  EXPECT_TRUE(pods->graceful);
  EXPECT_TRUE(pods->has_status);
  EXPECT_EQ(pods->selectable_fields[4].absent, "false");
}

}  // namespace
}  // namespace millwright::apiserver
