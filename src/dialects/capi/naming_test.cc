#include "dialects/capi/naming.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/label_value.h"
#include "dialects/capi/names.h"

namespace millwright::dialects::capi {
namespace {

using ::testing::HasSubstr;

constexpr NameValues kValues{.cluster = "c1", .set = "ms", .random = "bcdfg"};

TEST(MachineName, UsuallyTheSetAndTheRandomPart) {
  EXPECT_EQ(*MachineName("", kValues), "ms-bcdfg");
  EXPECT_EQ(*MachineName("{{ .cluster.name }}-x-{{ .random }}", kValues), "c1-x-bcdfg");
  EXPECT_EQ(*MachineName("{{.machineSet.name}}a{{ .random }}", kValues), "msabcdfg");
  EXPECT_EQ(*MachineName("a  {{- .cluster.name -}}  b{{ .random }}", kValues), "ac1bbcdfg");
}

TEST(MachineName, Capi_12_112_template_without_the_random_part) {
  for (const std::string_view naming : {"x", "{{.random}}", "{{ .cluster.name }}"}) {
    const auto name = MachineName(naming, kValues);
    ASSERT_FALSE(name) << naming;
    EXPECT_THAT(name.error().message(), HasSubstr("{{ .random }}"));
  }
}

TEST(MachineName, Capi_12_112_long_names_are_cut_and_end_with_the_random_part) {
  const std::string set(70, 's');
  const std::string name = *MachineName("", {.cluster = "c", .set = set, .random = "bcdfg"});
  EXPECT_EQ(name, std::string(58, 's') + "bcdfg");
  const std::string fits(57, 's');
  EXPECT_EQ(MachineName("", {.cluster = "c", .set = fits, .random = "bcdfg"})->size(), 63u);
}

TEST(MachineName, Capi_12_112_invalid_templates) {
  EXPECT_FALSE(MachineName("{{ .random }}{{ .nothing }}", kValues));
  EXPECT_FALSE(MachineName("{{ .random }}{{ .cluster", kValues));
  EXPECT_FALSE(MachineName("{{ .random }}{{}}", kValues));
}

TEST(SetName, Capi_12_149_base_is_cut_and_suffixes_agree) {
  const SetName name = NewSetName("md", "{}", "bcdfg");
  EXPECT_EQ(name.name, "md-bcdfg");
  EXPECT_TRUE(name.template_hash.ends_with("-bcdfg"));
  EXPECT_NE(NewSetName("md", "{ }", "bcdfg").template_hash, name.template_hash);
  EXPECT_EQ(NewSetName(std::string(60, 'd'), "{}", "bcdfg").name, std::string(58, 'd') + "bcdfg");
}

TEST(NameFloor, IsKeptInANoteOnTheSet) {
  SetRecord set;
  EXPECT_EQ(NameFloorOf(set), 0u);
  for (const auto& [text, floor] : {std::pair<std::string, std::uint32_t>{NameFloorNote(17), 17},
                                    {"{", 0},
                                    {R"({"nameFloor":-1})", 0},
                                    {R"({"nameFloor":5000000000})", 0}}) {
    set.annotations[std::string(annotations::kState)] = text;
    EXPECT_EQ(NameFloorOf(set), floor) << text;
  }
}

TEST(LabelValue, NamesThatNoLabelCanHaveAreHashed) {
  EXPECT_EQ(LabelValueOf("short.name"), "short.name");
  EXPECT_EQ(Fnv1a("a"), 0xe40c292cu);
  const std::string value = LabelValueOf(std::string(64, 'a'));
  EXPECT_EQ(value.size(), 13u);
  EXPECT_TRUE(value.starts_with("hash_") && value.ends_with("_z"));
  EXPECT_NE(value, LabelValueOf(std::string(65, 'a')));
}

}  // namespace
}  // namespace millwright::dialects::capi
