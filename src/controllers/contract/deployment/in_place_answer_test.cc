#include "controllers/contract/deployment/in_place_answer.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::controllers::contract {
namespace {

namespace json = boost::json;

InPlaceObjects Objects(const char* version, const char* size, const char* script) {
  const auto with = [](const char* key, const char* value) {
    return json::value{
        {"metadata", {{"name", "t"}}},
        {"spec", {{"template", {{"spec", {{key, value}, {"stays", json::array{1, 2}}}}}}}},
        {"status", {{"seen", 1}}}};
  };
  return {.machine = with("version", version),
          .infrastructure = with("size", size),
          .bootstrap = script == nullptr ? json::value() : with("script", script)};
}

InPlacePatch Merge(const char* key, const char* value) {
  return {
      .type = "JSONMergePatch",
      .text = json::serialize(json::value{{"spec", {{"template", {{"spec", {{key, value}}}}}}}})};
}
InPlacePatch Replace(const char* path, const char* value) {
  return {.type = "JSONPatch",
          .text = json::serialize(
              json::array{json::object{{"op", "replace"}, {"path", path}, {"value", value}}})};
}

TEST(InPlaceAnswer, Capi_12_142_patches_that_cover_all_differences) {
  const InPlaceObjects from = Objects("v1", "small", "a");
  const InPlaceObjects to = Objects("v2", "big", "b");
  EXPECT_TRUE(CoversAll(from, to,
                        {.set = Merge("version", "v2"),
                         .infrastructure = Replace("/spec/template/spec/size", "big"),
                         .bootstrap = Merge("script", "b")})
                  .value());
}

TEST(InPlaceAnswer, Capi_12_142_a_part_is_not_enough) {
  const InPlaceObjects from = Objects("v1", "small", "a");
  EXPECT_FALSE(CoversAll(from, Objects("v2", "small", "a"), {}).value());
  EXPECT_FALSE(CoversAll(from, Objects("v2", "big", "a"), {.set = Merge("version", "v2")}).value());
  EXPECT_FALSE(
      CoversAll(from, Objects("v2", "small", "b"), {.bootstrap = Merge("script", "b")}).value());
  EXPECT_FALSE(
      CoversAll(from, Objects("v2", "small", "a"), {.set = Merge("version", "v3")}).value());
}

TEST(InPlaceAnswer, Capi_12_142_what_is_handed_down_anyway_needs_no_extension) {
  InPlaceObjects to = Objects("v1", "small", "a");
  json::object& spec = to.machine.at("spec").at("template").at("spec").as_object();
  spec["minReadySeconds"] = 5;
  spec["infrastructureRef"] = json::object{{"name", "other"}};
  EXPECT_TRUE(CoversAll(Objects("v1", "small", "a"), to, {}).value());
}

TEST(InPlaceAnswer, Capi_12_142_objects_on_one_side_only) {
  EXPECT_FALSE(CoversAll(Objects("v1", "s", "a"), Objects("v1", "s", nullptr), {}).value());
  EXPECT_FALSE(CoversAll(Objects("v1", "s", nullptr), Objects("v1", "s", "a"), {}).value());
  EXPECT_TRUE(CoversAll(Objects("v1", "s", nullptr), Objects("v1", "s", nullptr), {}).value());
  InPlaceObjects gone = Objects("v1", "s", "a");
  gone.infrastructure = nullptr;
  EXPECT_FALSE(CoversAll(gone, gone, {}).value());
}

TEST(InPlaceAnswer, Capi_12_142_patches_of_metadata_and_status_do_not_count) {
  const InPlaceObjects same = Objects("v1", "s", "a");
  EXPECT_TRUE(CoversAll(same, same,
                        {.set = Replace("/metadata/name", "x"),
                         .infrastructure = Replace("/status/seen", "x")})
                  .value());
  EXPECT_FALSE(
      CoversAll(same, Objects("v2", "s", "a"), {.set = Replace("/metadata/name", "v2")}).value());
}

TEST(InPlaceAnswer, Capi_12_142_a_patch_that_is_not_understood_is_an_error) {
  const InPlaceObjects same = Objects("v1", "s", "a");
  EXPECT_FALSE(CoversAll(same, same, {.set = {.type = "StrategicMerge", .text = "{}"}}));
  EXPECT_FALSE(CoversAll(same, same, {.set = {.type = "JSONPatch", .text = "no json"}}));
  EXPECT_FALSE(CoversAll(same, same, {.infrastructure = Replace("/spec/missing/x", "y")}));
}

}  // namespace
}  // namespace millwright::controllers::contract
