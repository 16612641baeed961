#include "cli/server_table.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kTable = R"({"kind":"Table","apiVersion":"meta.k8s.io/v1",
 "columnDefinitions":[
  {"name":"Name","type":"string","priority":0},{"name":"Ready","type":"integer","priority":0},
  {"name":"Age","type":"date","priority":0},{"name":"ProviderID","type":"string","priority":1}],
 "rows":[
  {"cells":["a",3,"1970-01-01T00:01:00Z","vm-1"],"object":{"metadata":{"namespace":"x"}}},
  {"cells":["b",null,null]}]})";

std::string Shown(std::string_view text, TableWishes wishes) {
  const auto rows = ReadServerTable(text, wishes, WallTime(6min));
  return rows ? RenderTable(*rows, {}) : rows.error().message();
}

TEST(ReadServerTable, HasTheColumnsOfTheServer) {
  EXPECT_EQ(Shown(kTable, {}),
            "NAME  READY  AGE\n"
            "a     3      5m\n"
            "b            <unknown>\n");
  EXPECT_EQ(Shown(kTable, {.wide = true, .namespaces = true}),
            "NAMESPACE  NAME  READY  AGE        PROVIDERID\n"
            "x          a     3      5m         vm-1\n"
            "           b            <unknown>\n");
}

TEST(ReadServerTable, RefusesWhatIsNoTable) {
  EXPECT_EQ(Shown(R"({"kind":"MachineList","items":[]})", {}),
            "the server's answer is no table: use -o json");
  EXPECT_EQ(Shown(R"({"kind":"Table"})", {}), "the server's answer is no table: use -o json");
}

}  // namespace
}  // namespace millwright::cli
