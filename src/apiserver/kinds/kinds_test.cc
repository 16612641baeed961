#include "apiserver/kinds/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(KindsTest, AFieldCanStandElsewhere) {
  Registry registry;
  AddBuiltinKinds(registry);
  const auto events = registry.Find("", "v1", "events");
  const auto source =
      std::ranges::find(events->selectable_fields, "source", &SelectableField::path);
  ASSERT_NE(source, events->selectable_fields.end());
  EXPECT_EQ(source->read_from,
            (std::vector<std::string>{"source.component", "reportingComponent"}));
}

}  // namespace
}  // namespace millwright::apiserver
