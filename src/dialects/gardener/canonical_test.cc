#include "dialects/gardener/canonical.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>

#include "dialects/gardener/shared_parts.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using testing::Json;

TEST(CanonicalText, IsTheSameForWhatMeansTheSame) {
  const std::string text = R"({"a":{"x":[1,{"p":"q"}]},"b":""})";
  EXPECT_EQ(CanonicalText(Json(R"({"b":"","a":{"x":[1,{"p":"q","n":null}],"y":{}},"c":[]})")),
            text);
  EXPECT_EQ(CanonicalText(Json(text)), text);
  EXPECT_EQ(CanonicalText(Json(R"({"a":{"b":{"c":null}}})")), "");
}

constexpr const char* kTemplate = R"({
  "metadata": {"labels": {"name": "pool", "machine-template-hash": "123"}},
  "spec": {"class": {"kind": "MachineClass", "name": "small"}, "drainTimeout": "2h",
           "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})";

struct TemplateCase {
  const char* name;
  const char* other;
  bool rolls;
  bool passes;
};

const TemplateCase kCases[] = {
    {"Gardener_13_127_TheNodeTemplateIsHandedDown", R"({
       "metadata": {"labels": {"name": "pool"}},
       "spec": {"class": {"kind": "MachineClass", "name": "small"}, "drainTimeout": "2h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "b"}}}}})",
     false, true},
    {"LimitsAreHandedDown", R"({
       "metadata": {"labels": {"name": "pool"}},
       "spec": {"class": {"kind": "MachineClass", "name": "small"}, "drainTimeout": "3h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})",
     false, true},
    {"TheKindOfTheClassIsHandedDown", R"({
       "metadata": {"labels": {"name": "pool"}},
       "spec": {"class": {"kind": "AWSMachineClass", "name": "small"}, "drainTimeout": "2h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})",
     false, true},
    {"AnotherClassRolls", R"({
       "metadata": {"labels": {"name": "pool"}},
       "spec": {"class": {"kind": "MachineClass", "name": "large"}, "drainTimeout": "2h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})",
     true, false},
    {"AnotherLabelRolls", R"({
       "metadata": {"labels": {"name": "pool", "tier": "x"}},
       "spec": {"class": {"kind": "MachineClass", "name": "small"}, "drainTimeout": "2h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})",
     true, false},
    {"AnAnnotationRolls", R"({
       "metadata": {"annotations": {"v": "2"}, "labels": {"name": "pool"}},
       "spec": {"class": {"kind": "MachineClass", "name": "small"}, "drainTimeout": "2h",
                "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}}}})",
     true, false},
    {"WritingTheSameOtherwiseIsNoChange", R"({
       "metadata": {"creationTimestamp": null, "annotations": {}, "labels": {"name": "pool"}},
       "spec": {"class": {"apiGroup": "", "kind": "MachineClass", "name": "small"},
                "providerID": "", "drainTimeout": "2h0m0s",
                "nodeTemplate": {"spec": {}, "metadata": {"labels": {"zone": "a"}}}}})",
     false, false},
};

class TemplateTest : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(TemplateTest, TellsWhatAChangeMeans) {
  SharedParts parts;
  const MachineTemplate before = *parts.Template(kTemplate);
  const MachineTemplate after = *parts.Template(GetParam().other);
  EXPECT_EQ(before.rolls != after.rolls, GetParam().rolls) << after.rolls.view();
  EXPECT_EQ(before.passes != after.passes, GetParam().passes) << after.passes.view();
}

INSTANTIATE_TEST_SUITE_P(All, TemplateTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SharedParts, KeepsEqualTextsOnce) {
  SharedParts parts;
  const MachineTemplate a = *parts.Template(kTemplate);
  const MachineTemplate b = *parts.Template(std::string(kTemplate) + " ");
  EXPECT_EQ(a.whole.view().data(), b.whole.view().data());
  const PassedTexts machine =
      *parts.Passed(R"({"drainTimeout":"120m","class":{"kind":"MachineClass"},
      "providerID":"x","nodeTemplate":{"metadata":{"labels":{"zone":"a"}}}})");
  EXPECT_EQ(machine.passes, a.passes);
  EXPECT_EQ(machine.node_template.view(), R"({"metadata":{"labels":{"zone":"a"}}})");
}

}  // namespace
}  // namespace millwright::dialects::gardener
