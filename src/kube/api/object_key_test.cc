#include "kube/api/object_key.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

TEST(ObjectKey, IsWrittenAndReadBack) {
  for (const ObjectKey& key : {ObjectKey{"default", "a"}, ObjectKey{"", "node-1"}}) {
    EXPECT_EQ(*ParseObjectKey(key.ToString()), key);
  }
  EXPECT_EQ((ObjectKey{"default", "a"}).ToString(), "default/a");
  EXPECT_EQ((ObjectKey{"", "node-1"}).ToString(), "node-1");
}

TEST(ObjectKey, RefusesEmptyAndSurplusParts) {
  for (const char* text : {"", "/", "/a", "a/", "a/b/c"})
    EXPECT_FALSE(ParseObjectKey(text)) << text;
}

TEST(ObjectKey, IsOrderedByNamespaceFirst) {
  EXPECT_LT((ObjectKey{"a", "z"}), (ObjectKey{"b", "a"}));
  EXPECT_LT((ObjectKey{"a", "a"}), (ObjectKey{"a", "b"}));
}

TEST(ObjectKey, HashTellsSwappedPartsApart) {
  const std::hash<ObjectKey> hash;
  EXPECT_EQ(hash({"a", "b"}), hash({"a", "b"}));
  EXPECT_NE(hash({"a", "b"}), hash({"b", "a"}));
  EXPECT_NE(hash({"a", "a"}), hash({"b", "b"}));
}

}  // namespace
}  // namespace millwright::kube
