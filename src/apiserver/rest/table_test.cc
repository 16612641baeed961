#include "apiserver/rest/table.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));

// The cells behind the name, for one column.
std::string Cell(std::string type, std::string path, std::string_view object) {
  Resource resource{
      .kind = {"example.org", "v1", "Lathe"},
      .plural = "lathes",
      .singular = "lathe",
      .list_kind = "LatheList",
      .custom = true,
      .columns = {{.name = "X", .type = std::move(type), .json_path = std::move(path)}},
      .storage_version = "v1"};
  const json::value table = MakeTable(resource, json::parse(object), {}, "v1", kNow);
  const json::array& cells = table.at_pointer("/rows/0/cells").get_array();
  EXPECT_EQ(table.at("columnDefinitions").get_array().size(), cells.size());
  return cells.size() == 2 ? json::serialize(cells[1]) : "none";
}

TEST(TableTest, CellsAreOfTheTypeOfTheirColumn) {
  EXPECT_EQ(Cell("string", ".a", R"({"a":"x"})"), R"("x")");
  EXPECT_EQ(Cell("string", ".a", R"({"a":3})"), R"("3")");
  EXPECT_EQ(Cell("string", ".a", R"({"a":0.5})"), R"("0.5")");
  EXPECT_EQ(Cell("string", ".a", R"({"a":true})"), R"("true")");
  EXPECT_EQ(Cell("string", ".a", R"({"a":{"b":[1]}})"), R"("{\"b\":[1]}")");
  EXPECT_EQ(Cell("string", ".a", R"({"a":null})"), R"("<no value>")");
  EXPECT_EQ(Cell("string", ".a", "{}"), "null");
  EXPECT_EQ(Cell("integer", ".a", R"({"a":3})"), "3");
  EXPECT_EQ(Cell("integer", ".a", R"({"a":3.7})"), "3");
  EXPECT_EQ(Cell("integer", ".a", R"({"a":"3"})"), "null");
  EXPECT_EQ(Cell("number", ".a", R"({"a":3})"), "3");
  EXPECT_EQ(Cell("boolean", ".a", R"({"a":false})"), "false");
  EXPECT_EQ(Cell("boolean", ".a", R"({"a":"false"})"), "null");
  EXPECT_EQ(Cell("date", ".a", R"({"a":"2025-12-31T23:55:00Z"})"), R"("5m")");
  EXPECT_EQ(Cell("date", ".a", R"({"a":"soon"})"), R"("<invalid>")");
  EXPECT_EQ(Cell("date", ".a", R"({"a":""})"), R"("<unknown>")");
  EXPECT_EQ(Cell("date", ".a", R"({"a":5})"), "null");
}

TEST(TableTest, TheFirstOfSeveralIsShown) {
  EXPECT_EQ(Cell("integer", ".a[*]", R"({"a":[7,8]})"), "7");
  EXPECT_EQ(Cell("integer", ".a[3]", R"({"a":[7,8]})"), "null");
}

TEST(TableTest, AColumnThatCannotBeReadIsLeftOut) {
  EXPECT_EQ(Cell("integer", ".a[", R"({"a":[7,8]})"), "none");
}

}  // namespace
}  // namespace millwright::apiserver
