#include "kube/api/object_meta.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/object.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

const char* const kFull = R"({
  "name": "m1", "generateName": "m", "namespace": "default", "uid": "u-1", "resourceVersion": "42",
  "generation": 3, "creationTimestamp": "2026-11-15T10:00:00Z", "deletionTimestamp": "2026-11-15T11:00:00Z",
  "labels": {"a": "b"}, "annotations": {"example.com/note": "text"},
  "ownerReferences": [
    {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u-2", "controller": true,
     "blockOwnerDeletion": false},
    {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u-3"}],
  "finalizers": ["one", "two"]
})";

ObjectMeta Named(const char* namespace_, const char* name, const char* uid) {
  ObjectMeta meta;
  meta.namespace_ = namespace_;
  meta.name = name;
  meta.uid = Uid(uid);
  return meta;
}

TEST(ObjectMeta, IsDecoded) {
  const auto meta = DecodeObjectMeta(json::parse(kFull));
  ASSERT_TRUE(meta) << meta.error().message();
  EXPECT_EQ(meta->Key(), (ObjectKey{"default", "m1"}));
  EXPECT_EQ(meta->uid, Uid("u-1"));
  EXPECT_EQ(meta->resource_version, ResourceVersion("42"));
  EXPECT_EQ(meta->generation, 3);
  EXPECT_EQ(meta->creation_timestamp, *ParseTime("2026-11-15T10:00:00Z"));
  EXPECT_TRUE(IsBeingDeleted(*meta));
  EXPECT_EQ(meta->labels, (Labels{{"a", "b"}}));
  EXPECT_EQ(meta->owner_references.size(), 2U);
  EXPECT_EQ(ControllerOf(*meta)->name, "rs");
}

TEST(ObjectMeta, IsEncodedAsItWas) {
  const json::value full = json::parse(kFull);
  EXPECT_EQ(json::value(EncodeObjectMeta(*DecodeObjectMeta(full))), full);
  EXPECT_TRUE(EncodeObjectMeta({}).empty());
}

TEST(ObjectMeta, TakesNullForAbsent) {
  const json::value nulls = json::parse(
      R"({"name":null,"creationTimestamp":null,"labels":null,"ownerReferences":null,"finalizers":null})");
  EXPECT_EQ(*DecodeObjectMeta(nulls), ObjectMeta());
  EXPECT_EQ(*DecodeObjectMeta(nullptr), ObjectMeta());
  EXPECT_EQ(DecodeObjectMeta(json::parse(R"({"labels":{"a":null}})"))->labels, (Labels{{"a", ""}}));
}

struct BadCase {
  const char* name;
  const char* text;
  const char* says;
};

const BadCase kBad[] = {
    {"List", "[]", "metadata: expected an object"},
    {"NumberForName", R"({"name":1})", "metadata: name: expected a string"},
    {"TextForGeneration", R"({"generation":"1"})", "metadata: generation: expected a whole number"},
    {"BadTime", R"({"creationTimestamp":"soon"})", "metadata: creationTimestamp: 'soon' is not"},
    {"LabelsAreAList", R"({"labels":[]})", "metadata: labels: expected an object"},
    {"LabelIsANumber", R"({"labels":{"a":1}})", "metadata: labels[a]: expected a string"},
    {"FinalizersAreText", R"({"finalizers":"x"})", "metadata: finalizers: expected a list"},
    {"FinalizerIsANumber", R"({"finalizers":["x",1]})",
     "metadata: finalizers[1]: expected a string"},
    {"OwnerIsText", R"({"ownerReferences":["x"]})",
     "metadata: ownerReferences[0]: expected an object"},
    {"OwnerFieldIsWrong", R"({"ownerReferences":[{"controller":"yes"}]})",
     "metadata: ownerReferences[0]: controller: expected true or false"},
};

class ObjectMetaBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(ObjectMetaBadTest, IsRefusedWithItsPath) {
  const auto meta = DecodeObjectMeta(json::parse(GetParam().text));
  ASSERT_FALSE(meta);
  EXPECT_EQ(meta.error().kind(), ErrorKind::kInvalid);
  EXPECT_TRUE(meta.error().message().starts_with(GetParam().says)) << meta.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, ObjectMetaBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Finalizers, AreAddedOnceAndRemovedWhole) {
  ObjectMeta meta;
  EXPECT_TRUE(AddFinalizer(meta, "one"));
  EXPECT_TRUE(AddFinalizer(meta, "two"));
  EXPECT_FALSE(AddFinalizer(meta, "one"));
  EXPECT_TRUE(HasFinalizer(meta, "two"));
  meta.finalizers.emplace_back("one");
  EXPECT_TRUE(RemoveFinalizer(meta, "one"));
  EXPECT_FALSE(RemoveFinalizer(meta, "one"));
  EXPECT_EQ(meta.finalizers, std::vector<std::string>{"two"});
}

class SetControllerReferenceTest : public testing::Test {
 protected:
  const GroupVersionKind kind_{"apps", "v1", "ReplicaSet"};
  const ObjectMeta owner_ = Named("default", "rs", "u-1");
  ObjectMeta dependent_ = Named("default", "m", "u-9");
};

TEST_F(SetControllerReferenceTest, MakesTheOwnerTheController) {
  ASSERT_TRUE(SetControllerReference(kind_, owner_, dependent_));
  ASSERT_TRUE(SetControllerReference(kind_, owner_, dependent_));
  const OwnerReference want{"apps/v1", "ReplicaSet", "rs", Uid("u-1"), true, true};
  EXPECT_EQ(dependent_.owner_references, std::vector{want});
  EXPECT_TRUE(IsControlledBy(dependent_, Uid("u-1")));
  EXPECT_FALSE(IsControlledBy(dependent_, Uid("u-2")));
}

TEST_F(SetControllerReferenceTest, PromotesAPlainOwnerAndKeepsTheOthers) {
  const OwnerReference other{"v1", "Node", "n", Uid("u-3"), {}, {}};
  dependent_.owner_references = {{"apps/v1beta1", "ReplicaSet", "rs", Uid("u-1"), {}, {}}, other};
  ASSERT_TRUE(SetControllerReference(kind_, owner_, dependent_));
  EXPECT_EQ(dependent_.owner_references.size(), 2U);
  EXPECT_EQ(dependent_.owner_references.front().api_version, "apps/v1");
  EXPECT_EQ(ControllerOf(dependent_)->uid, Uid("u-1"));
  EXPECT_EQ(dependent_.owner_references.back(), other);
}

TEST_F(SetControllerReferenceTest, RefusesASecondController) {
  ASSERT_TRUE(SetControllerReference(kind_, owner_, dependent_));
  const ObjectMeta before = dependent_;
  // The same name again, but another life.
  const auto result = SetControllerReference(kind_, Named("default", "rs", "u-2"), dependent_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), ErrorKind::kConflict);
  EXPECT_EQ(result.error().message(), "default/m is already controlled by ReplicaSet rs");
  EXPECT_EQ(dependent_, before);
}

TEST_F(SetControllerReferenceTest, RefusesOwnersThatTheCollectorCannotSee) {
  EXPECT_FALSE(SetControllerReference(kind_, Named("other", "rs", "u-1"), dependent_));
  ObjectMeta node = Named("", "n", "u-9");
  EXPECT_FALSE(SetControllerReference(kind_, owner_, node));
  EXPECT_FALSE(SetControllerReference(kind_, Named("default", "rs", ""), dependent_));
  EXPECT_TRUE(SetControllerReference(kind_, Named("", "cluster-wide", "u-4"), dependent_));
}

}  // namespace
}  // namespace millwright::kube
