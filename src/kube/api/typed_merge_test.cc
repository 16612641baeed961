#include "kube/api/typed_merge.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_build.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

const Schema& Kind() {
  static const Schema kItem = Requiring(ObjectSchema({{"name", StringSchema()},
                                                      {"size", IntegerSchema()},
                                                      {"tags", SetSchema(StringSchema())}}),
                                        {"name"});
  static const Schema kKind =
      ObjectSchema({{"set", SetSchema(StringSchema())},
                    {"map", ListMapSchema(kItem, {"name"})},
                    {"list", ListSchema(IntegerSchema())},
                    {"labels", MapSchema(StringSchema())},
                    {"whole", Atomic(MapSchema(StringSchema()))},
                    {"struct", ObjectSchema({{"a", IntegerSchema()}, {"b", IntegerSchema()}})},
                    {"any", OpaqueSchema()}});
  return kKind;
}

struct MergeCase {
  const char* name;
  const char* live;
  const char* applied;
  const char* want;
};

const MergeCase kCases[] = {
    {"AddsFields", R"({"struct":{"a":1}})", R"({"struct":{"b":2}})", R"({"struct":{"a":1,"b":2}})"},
    {"AppliedScalarWins", R"({"struct":{"a":1}})", R"({"struct":{"a":2}})",
     R"({"struct":{"a":2}})"},
    {"AppliedNullScalarWins", R"({"struct":{"a":1}})", R"({"struct":{"a":null}})",
     R"({"struct":{"a":null}})"},
    {"AppliedNullObjectChangesNothing", R"({"struct":{"a":1}})", R"({"struct":null})",
     R"({"struct":{"a":1}})"},
    {"AppliedEmptyObjectChangesNothing", R"({"struct":{"a":1}})", R"({"struct":{}})",
     R"({"struct":{"a":1}})"},
    {"EmptyReplacesNull", R"({"struct":null})", R"({"struct":{}})", R"({"struct":{}})"},
    {"MapsMergeByKey", R"({"labels":{"a":"1","b":"2"}})", R"({"labels":{"b":"3","c":"4"}})",
     R"({"labels":{"a":"1","b":"3","c":"4"}})"},
    {"AtomicMapIsReplaced", R"({"whole":{"a":"1"}})", R"({"whole":{"b":"2"}})",
     R"({"whole":{"b":"2"}})"},
    {"AtomicListIsReplaced", R"({"list":[1,2]})", R"({"list":[3]})", R"({"list":[3]})"},
    {"ItemsMergeByKey", R"({"map":[{"name":"x","size":1}]})",
     R"({"map":[{"name":"x","tags":["t"]},{"name":"y"}]})",
     R"({"map":[{"name":"x","size":1,"tags":["t"]},{"name":"y"}]})"},
    {"UnknownListsAreReplaced", R"({"any":{"l":[1,2],"m":{"a":1}}})",
     R"({"any":{"l":[3],"m":{"b":2}}})", R"({"any":{"l":[3],"m":{"a":1,"b":2}}})"},
    {"UnknownMayChangeItsKind", R"({"any":{"x":{"a":1}}})", R"({"any":{"x":"text"}})",
     R"({"any":{"x":"text"}})"},

    // The order of lists.
    {"NewItemsComeLast", R"({"set":["a","b"]})", R"({"set":["c"]})", R"({"set":["a","b","c"]})"},
    {"AppliedOrderWinsForSharedItems", R"({"set":["a","b"]})", R"({"set":["b","a"]})",
     R"({"set":["b","a"]})"},
    {"LiveItemsKeepTheirPlaceBehindShared", R"({"set":["a","x","b"]})", R"({"set":["a","b"]})",
     R"({"set":["a","x","b"]})"},
    {"AppliedItemGoesBeforeTheSharedOneItPrecedes", R"({"set":["a","b","c"]})",
     R"({"set":["x","b"]})", R"({"set":["a","x","b","c"]})"},
    {"LiveItemsGoBeforeAppliedOnesWhereEitherCould", R"({"set":["a","b"]})", R"({"set":["a","x"]})",
     R"({"set":["a","b","x"]})"},
    {"SwappedItemsAroundALiveOne", R"({"set":["a","b","c"]})", R"({"set":["b","a","x"]})",
     R"({"set":["b","c","a","x"]})"},
    {"LiveDuplicatesOfAnAppliedItemAreReplaced", R"({"set":["a","a","b"]})", R"({"set":["a","x"]})",
     R"({"set":["a","x","b"]})"},
    {"OtherLiveDuplicatesStay", R"({"set":["b","b"]})", R"({"set":["a"]})",
     R"({"set":["b","b","a"]})"},
    {"EmptyAppliedListChangesNothing", R"({"set":["a"]})", R"({"set":[]})", R"({"set":["a"]})"},
};

class MergeTest : public testing::TestWithParam<MergeCase> {};

TEST_P(MergeTest, LaysTheAppliedObjectOverTheLiveOne) {
  const json::value merged = Merge(Shape::OfResource(&Kind()), json::parse(GetParam().live),
                                   json::parse(GetParam().applied));
  EXPECT_EQ(JsonText(merged), JsonText(json::parse(GetParam().want)));
}

INSTANTIATE_TEST_SUITE_P(All, MergeTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
