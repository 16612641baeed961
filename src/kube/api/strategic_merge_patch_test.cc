#include "kube/api/strategic_merge_patch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

// keyed: objects by name, with a set and a keyed list inside; set: plain values; atomic: replaced
// object.
constexpr std::array kInnerFields = {
    MergeField{.name = "set", .strategy = PatchStrategy::kMerge},
    MergeField{.name = "keyed", .strategy = PatchStrategy::kMerge, .merge_key = "id"},
};
constexpr MergeKeys kInner{kInnerFields};
constexpr std::array kFields = {
    MergeField{
        .name = "keyed", .strategy = PatchStrategy::kMerge, .merge_key = "name", .inner = &kInner},
    MergeField{.name = "set", .strategy = PatchStrategy::kMerge},
    MergeField{.name = "atomic", .strategy = PatchStrategy::kReplace},
    MergeField{.name = "inner", .inner = &kInner},
};
constexpr MergeKeys kKeys{kFields};

struct Case {
  const char* name;
  const char* document;
  const char* patch;
  const char* want;
};

const Case kCases[] = {
    {"NothingChangesNothing", R"({"a":1})", "{}", R"({"a":1})"},
    {"MembersAreSet", R"({"a":1,"b":2})", R"({"b":3,"c":4})", R"({"a":1,"b":3,"c":4})"},
    {"NullRemoves", R"({"a":1,"b":2})", R"({"b":null,"c":null})", R"({"a":1})"},
    {"ObjectsAreMerged", R"({"o":{"a":1,"b":2}})", R"({"o":{"b":3}})", R"({"o":{"a":1,"b":3}})"},
    {"NullsInNewObjectsVanish", "{}", R"({"o":{"a":null,"b":1}})", R"({"o":{"b":1}})"},
    {"ObjectReplacesText", R"({"o":"x"})", R"({"o":{"b":1}})", R"({"o":{"b":1}})"},
    {"TextReplacesObject", R"({"o":{"b":1}})", R"({"o":"x"})", R"({"o":"x"})"},
    {"AtomicObjectsAreReplaced", R"({"atomic":{"a":1}})", R"({"atomic":{"b":2}})",
     R"({"atomic":{"b":2}})"},
    {"PlainListsAreReplaced", R"({"list":[1,2]})", R"({"list":[3]})", R"({"list":[3]})"},
    {"RulesReachInside", R"({"inner":{"set":[1]}})", R"({"inner":{"set":[2]}})",
     R"({"inner":{"set":[2,1]}})"},

    {"SetsAreUnited", R"({"set":["a","b"]})", R"({"set":["b","c"]})", R"({"set":["a","b","c"]})"},
    {"NewValuesGoInFront", R"({"set":["a"]})", R"({"set":["b"]})", R"({"set":["b","a"]})"},
    {"SetsKeepEachValueOnce", R"({"set":["a","a"]})", R"({"set":["b","b"]})",
     R"({"set":["b","a"]})"},
    {"EmptySetChangesNothing", R"({"set":["a"]})", R"({"set":[]})", R"({"set":["a"]})"},
    {"ValuesAreDeleted", R"({"set":["a","b","c"]})",
     R"({"$deleteFromPrimitiveList/set":["b","x"]})", R"({"set":["a","c"]})"},
    {"ValuesAreDeletedAndAdded", R"({"set":["a","b"]})",
     R"({"$deleteFromPrimitiveList/set":["a"],"set":["c"]})", R"({"set":["c","b"]})"},
    {"DeletingFromNothing", "{}", R"({"$deleteFromPrimitiveList/set":["b"]})", "{}"},
    {"SetsAreOrdered", R"({"set":["a","b","c"]})", R"({"$setElementOrder/set":["c","a"]})",
     R"({"set":["b","c","a"]})"},

    {"ItemsAreMergedByKey", R"({"keyed":[{"name":"a","x":1},{"name":"b","x":2}]})",
     R"({"keyed":[{"name":"b","y":3}]})",
     R"({"keyed":[{"name":"a","x":1},{"name":"b","x":2,"y":3}]})"},
    {"NewItemsGoInFront", R"({"keyed":[{"name":"a"}]})", R"({"keyed":[{"name":"b","x":null}]})",
     R"({"keyed":[{"name":"b"},{"name":"a"}]})"},
    {"KnownItemsKeepTheirPlace", R"({"keyed":[{"name":"a"},{"name":"b"},{"name":"c"}]})",
     R"({"keyed":[{"name":"b","x":1}]})",
     R"({"keyed":[{"name":"a"},{"name":"b","x":1},{"name":"c"}]})"},
    {"PatchOrderWins", R"({"keyed":[{"name":"a"},{"name":"b"}]})",
     R"({"keyed":[{"name":"b"},{"name":"a"}]})", R"({"keyed":[{"name":"b"},{"name":"a"}]})"},
    {"ListsInItemsFollowTheirRules",
     R"({"keyed":[{"name":"a","keyed":[{"id":1,"v":1}],"set":[1]}]})",
     R"({"keyed":[{"name":"a","keyed":[{"id":1,"v":2}],"set":[2]}]})",
     R"({"keyed":[{"name":"a","keyed":[{"id":1,"v":2}],"set":[2,1]}]})"},
    {"ItemsAreDeleted", R"({"keyed":[{"name":"a"},{"name":"b"}]})",
     R"({"keyed":[{"name":"a","$patch":"delete"},{"name":"x","$patch":"delete"}]})",
     R"({"keyed":[{"name":"b"}]})"},
    {"DeleteInANewListIsDropped", "{}",
     R"({"keyed":[{"name":"a","$patch":"delete"},{"name":"b"}]})", R"({"keyed":[{"name":"b"}]})"},
    {"ListIsReplaced", R"({"keyed":[{"name":"a"},{"name":"b","x":1}]})",
     R"({"keyed":[{"name":"b"},{"$patch":"replace"}]})", R"({"keyed":[{"name":"b"}]})"},
    {"ListIsEmptied", R"({"keyed":[{"name":"a"}]})", R"({"keyed":[{"$patch":"replace"}]})",
     R"({"keyed":[]})"},
    {"MergeDirectiveIsTheDefault", R"({"keyed":[{"name":"a","x":1}]})",
     R"({"keyed":[{"name":"a","y":2,"$patch":"merge"}]})",
     R"({"keyed":[{"name":"a","x":1,"y":2}]})"},
    {"NumbersAreKeysToo", R"({"inner":{"keyed":[{"id":80,"v":1}]}})",
     R"({"inner":{"keyed":[{"id":80,"v":2}]}})", R"({"inner":{"keyed":[{"id":80,"v":2}]}})"},
    {"ItemsAreOrdered", R"({"keyed":[{"name":"a"},{"name":"b"},{"name":"c"}]})",
     R"({"$setElementOrder/keyed":[{"name":"c"},{"name":"b"},{"name":"a"}]})",
     R"({"keyed":[{"name":"c"},{"name":"b"},{"name":"a"}]})"},
    {"ServersOwnItemsStayNearTheirPlace",
     R"({"keyed":[{"name":"a"},{"name":"mine"},{"name":"b"}]})",
     R"({"$setElementOrder/keyed":[{"name":"new"},{"name":"a"},{"name":"b"}],"keyed":[{"name":"new"}]})",
     R"({"keyed":[{"name":"new"},{"name":"a"},{"name":"mine"},{"name":"b"}]})"},
    {"NewListIsOrdered", "{}",
     R"({"$setElementOrder/keyed":[{"name":"a"},{"name":"b"}],"keyed":[{"name":"a"},{"name":"b"}]})",
     R"({"keyed":[{"name":"a"},{"name":"b"}]})"},
    {"OrderOfNothing", "{}", R"({"$setElementOrder/keyed":[{"name":"a"}]})", "{}"},

    {"ObjectIsReplaced", R"({"o":{"a":1}})", R"({"o":{"b":2,"$patch":"replace"}})",
     R"({"o":{"b":2}})"},
    {"ObjectIsEmptied", R"({"o":{"a":1}})", R"({"o":{"$patch":"delete"}})", R"({"o":{}})"},
    {"DeletingNoObject", "{}", R"({"o":{"$patch":"delete"}})", "{}"},
    {"DocumentIsReplaced", R"({"a":1})", R"({"$patch":"replace","b":2})", R"({"b":2})"},
    {"OnlyKeysRetained", R"({"o":{"a":1,"b":2}})", R"({"o":{"$retainKeys":["b","c"],"c":3}})",
     R"({"o":{"b":2,"c":3}})"},
    {"RetainKeysMayRemoveByNull", R"({"o":{"a":1,"b":2}})",
     R"({"o":{"$retainKeys":["b"],"a":null}})", R"({"o":{"b":2}})"},
    {"DirectivesAreNeverStored", "{}",
     R"({"o":{"$retainKeys":["a"],"a":1,"$setElementOrder/x":[],"$deleteFromPrimitiveList/y":[]}})",
     R"({"o":{"a":1}})"},
};

class StrategicMergePatchTest : public testing::TestWithParam<Case> {};

TEST_P(StrategicMergePatchTest, IsApplied) {
  const auto result = ApplyStrategicMergePatch(json::parse(GetParam().document),
                                               json::parse(GetParam().patch), kKeys);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(*result, json::parse(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, StrategicMergePatchTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* document;
  const char* patch;
  const char* says;
};

const BadCase kBad[] = {
    {"PatchIsAList", "{}", "[]", "must be objects"},
    {"UnknownDirective", R"({"o":{}})", R"({"o":{"$patch":"improve"}})", "o: $patch must be"},
    {"DirectiveIsANumber", "{}", R"({"$patch":1})", "$patch must be"},
    {"UnknownDirectiveInAnItem", R"({"keyed":[]})", R"({"keyed":[{"name":"a","$patch":"x"}]})",
     "keyed: $patch must be"},
    {"ItemWithoutKey", R"({"keyed":[]})", R"({"keyed":[{"x":1}]})",
     "keyed: an item lacks its merge key 'name'"},
    {"DeleteWithoutKey", R"({"keyed":[]})", R"({"keyed":[{"$patch":"delete"}]})",
     "lacks its merge key"},
    {"ObjectsWithoutAMergeKey", R"({"set":[{"a":1}]})", R"({"set":[{"a":2}]})",
     "without a merge key"},
    {"MixedItems", R"({"keyed":[{"name":"a"}]})", R"({"keyed":["a"]})",
     "only objects or only plain values"},
    {"ListsInAList", R"({"set":[[1]]})", R"({"set":[[2]]})", "only objects or only plain values"},
    {"RetainKeysMissesAKey", R"({"o":{}})", R"({"o":{"$retainKeys":["a"],"b":1}})",
     "o: $retainKeys does not have 'b'"},
    {"RetainKeysIsNoList", R"({"o":{}})", R"({"o":{"$retainKeys":"a"}})",
     "$retainKeys must be a list"},
    {"DeleteFromIsNoList", R"({"set":[1]})", R"({"$deleteFromPrimitiveList/set":1})",
     "must be a list"},
    {"OrderIsNoList", R"({"set":[1]})", R"({"$setElementOrder/set":1})", "only for lists"},
    {"OrderOfAnObject", R"({"o":{}})", R"({"$setElementOrder/o":[]})", "only for lists"},
    {"PatchOutOfOrder", R"({"set":[]})", R"({"set":["a","b"],"$setElementOrder/set":["b","a"]})",
     "not in the order"},
    {"PatchItemWithoutAPlace", R"({"set":[]})", R"({"set":["a"],"$setElementOrder/set":["b"]})",
     "not in the order"},
    {"DeepErrorsHaveAPath", R"({"inner":{"keyed":[{"id":1}]}})", R"({"inner":{"keyed":[{"v":1}]}})",
     "strategic merge patch: inner: keyed: an item lacks"},
};

class StrategicMergePatchBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(StrategicMergePatchBadTest, IsRefusedWithItsPath) {
  const auto result = ApplyStrategicMergePatch(json::parse(GetParam().document),
                                               json::parse(GetParam().patch), kKeys);
  ASSERT_FALSE(result) << json::serialize(*result);
  EXPECT_EQ(result.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(result.error().message().find(GetParam().says), std::string::npos)
      << result.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, StrategicMergePatchBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(StrategicMergePatch, RefusesWhatIsTooDeep) {
  json::value deep = 1;
  for (int i = 0; i < 1001; ++i) deep = json::object{{"a", std::move(deep)}};
  EXPECT_FALSE(ApplyStrategicMergePatch(json::object(), deep, kKeys));
  EXPECT_FALSE(ApplyStrategicMergePatch(deep, json::object(), kKeys));
}

TEST(StrategicMergePatch, AppliedAgainChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto names = rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
    const auto keyed = [](const std::vector<int>& keys) {
      json::array list;
      for (const int key : keys) list.push_back({{"name", key}, {"x", key}});
      return list;
    };
    const json::value document{{"set", json::value_from(*names)}, {"keyed", keyed(*names)}};
    const json::value patch{{"set", json::value_from(*names)}, {"keyed", keyed(*names)}};
    const auto once = ApplyStrategicMergePatch(document, patch, kKeys);
    RC_ASSERT(once.has_value());
    RC_ASSERT(*ApplyStrategicMergePatch(*once, patch, kKeys) == *once);
  }));
}

TEST(StrategicMergePatch, LongListsStayCheap) {
  json::array values;
  for (int i = 0; i < 20'000; ++i) values.emplace_back(i);
  const json::value document{{"set", values}};
  const auto result = ApplyStrategicMergePatch(document, document, kKeys);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, document);
}

}  // namespace
}  // namespace millwright::kube
