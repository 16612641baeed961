#include "apiserver/rest/json_path.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

const json::value& Sample() {
  static const json::value kSample = json::parse(R"({
    "metadata": {"annotations": {"a.b/c": "dotted"}},
    "spec": {"list": [1, 2, 3, 4], "items": [{"n": "x", "v": 1}, {"n": "y", "v": 5}],
             "deep": {"deeper": {"name": "z"}}, "none": null},
    "status": {"conditions": [
      {"type": "Available", "status": "False"},
      {"type": "Ready", "status": "True", "ok": true}]}
  })");
  return kSample;
}

// The results with spaces between, or "error".
std::string Find(std::string_view path) {
  const auto parsed = JsonPath::Parse(path);
  if (!parsed) return "unreadable";
  const auto found = parsed->Find(Sample());
  if (!found) return "error";
  std::string text;
  for (const json::value* value : *found) {
    text += (text.empty() ? "" : " ") + json::serialize(*value);
  }
  return text;
}

struct Case {
  std::string_view path;
  std::string_view results;
};

TEST(JsonPathTest, FindsWhatKubernetesFinds) {
  const Case cases[] = {
      {".spec.deep.deeper.name", R"("z")"},
      {"$.spec.deep.deeper.name", R"("z")"},
      {".spec.missing.name", ""},
      {".spec.none", "null"},
      {".spec.none.name", ""},
      {R"(.metadata.annotations.a\.b/c)", R"("dotted")"},
      {R"(.metadata.annotations['a\.b/c'])", R"("dotted")"},
      {".metadata.annotations['a.b/c']", ""},  // two fields, in this dialect
      {".spec['deep']['deeper'].name", R"("z")"},
      {".spec.list[0]", "1"},
      {".spec.list[-1]", "4"},
      {".spec.list[7]", "error"},
      {".spec.list[-5]", "error"},
      {".spec.deep[0]", "error"},
      {".spec.none[0]", ""},
      {".spec.list[1:3]", "2 3"},
      {".spec.list[:2]", "1 2"},
      {".spec.list[2:]", "3 4"},
      {".spec.list[-2:]", "3 4"},
      {".spec.list[:-1]", "1 2 3"},
      {".spec.list[0:4:2]", "1 3"},
      {".spec.list[0:4:0]", "error"},
      {".spec.list[1:1]", ""},
      {".spec.list[*]", "1 2 3 4"},
      {".spec.items[*].n", R"("x" "y")"},
      {".spec.items.*.n", R"("x" "y")"},
      {".spec.list[0,2]", "1 3"},
      {".spec['none','list']", "null [1,2,3,4]"},
      {"..name", R"("z")"},
      {R"(.status.conditions[?(@.type=="Ready")].status)", R"("True")"},
      {R"(.status.conditions[?(@.type=='Ready')].status)", R"("True")"},
      {R"(.status.conditions[?(@.type == "Ready")].status)", R"("True")"},
      {R"(.status.conditions[?(@.type!="Ready")].status)", R"("False")"},
      {R"(.status.conditions[?(@.ok)].type)", R"("Ready")"},
      {R"(.status.conditions[?(@.ok==true)].type)", R"("Ready")"},
      {R"(.spec.items[?(@.v>1)].n)", R"("y")"},
      {R"(.spec.items[?(@.v<=1)].n)", R"("x")"},
      {R"(.spec.items[?(@.v=="1")].n)", "error"},
      {R"(.spec.deep[?(@.a=="b")].n)", "error"},
      {".spec.list[", "unreadable"},
      {".spec.list[a]", "unreadable"},
      {"spec.list", "unreadable"},
      {R"(.a[?(@.b=="c)])", "unreadable"},
      {R"(.a[?(@.b=!"c")])", "unreadable"},
      {".a....b", "unreadable"},
  };
  for (const Case& one : cases) EXPECT_EQ(Find(one.path), one.results) << one.path;
}

}  // namespace
}  // namespace millwright::apiserver
