#include "kube/projection/list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The name of each item, and what the list says of itself.
struct Walked {
  Result<ListMeta> meta;
  std::vector<std::string> names;
};

Walked Walk(std::string_view text) {
  std::vector<std::string> names;
  auto meta = ForEachListItem(std::string(text), [&](JsonObject item) {
    return ForEachField(item, [&](std::string_view key, JsonValue value) {
      return key == "name" ? ReadInto(value, names.emplace_back()) : Result<void>();
    });
  });
  return {std::move(meta), std::move(names)};
}

constexpr std::string_view kPage =
    R"({"kind":"NodeList","metadata":{"resourceVersion":"7","continue":"abc"},)"
    R"("items":[{"name":"a"},{"other":[1,2],"name":"b"},{}]})";

TEST(ForEachListItemTest, VisitsEachItemAndTellsWhatFollows) {
  const Walked walked = Walk(kPage);
  ASSERT_TRUE(walked.meta);
  EXPECT_EQ(walked.meta->resource_version, ResourceVersion("7"));
  EXPECT_EQ(walked.meta->continue_token, "abc");
  EXPECT_THAT(walked.names, ElementsAre("a", "b"));
}

TEST(ForEachListItemTest, ItemsMayComeFirst) {
  const Walked walked = Walk(R"({"items":[{"name":"a"}],"metadata":{"resourceVersion":"7"}})");
  ASSERT_TRUE(walked.meta);
  EXPECT_EQ(walked.meta->resource_version, ResourceVersion("7"));
  EXPECT_EQ(walked.meta->continue_token, "");
  EXPECT_THAT(walked.names, ElementsAre("a"));
}

TEST(ForEachListItemTest, NoItemsAreWrittenInManyWays) {
  for (const char* text : {R"({"metadata":{"resourceVersion":"7"},"items":[]})",
                           R"({"metadata":{"resourceVersion":"7"},"items":null})",
                           R"({"metadata":{"resourceVersion":"7"}})"}) {
    const Walked walked = Walk(text);
    ASSERT_TRUE(walked.meta) << text;
    EXPECT_EQ(walked.meta->resource_version, ResourceVersion("7"));
    EXPECT_THAT(walked.names, IsEmpty());
  }
}

// Half a list taken for a whole one would mean that objects are gone that are not.
TEST(ForEachListItemTest, AListThatStopsHalfWayIsNeverWhole) {
  for (std::size_t size = 0; size < kPage.size(); ++size) {
    EXPECT_FALSE(Walk(kPage.substr(0, size)).meta) << "of " << size << " bytes";
  }
}

TEST(ForEachListItemTest, WhatVisitRefusesEndsTheWalk) {
  const Walked walked = Walk(R"({"items":[{"name":"a"},{"name":5},{"name":"c"}],"metadata":{}})");
  ASSERT_FALSE(walked.meta);
  EXPECT_EQ(walked.meta.error().message(), "items: name: is not text");
  EXPECT_THAT(walked.names, ElementsAre("a", ""));
}

TEST(ForEachListItemTest, OtherDocumentsAreRefused) {
  for (const char* text :
       {"", "[]", "null", "<html></html>", R"({"items":{}})", R"({"items":[5]})",
        R"({"items":[null]})", R"({"items":["a"]})", R"({"metadata":[]})",
        R"({"metadata":{"resourceVersion":7}})", R"({"items":[{"name":"a"} {"name":"b"}]})",
        R"({"items":[x]})", R"({"items":[{"name":"a"},]})"}) {
    EXPECT_FALSE(Walk(text).meta) << text;
  }
}

}  // namespace
}  // namespace millwright::kube
