#include "kube/api/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace millwright::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string k63(63, 'a');
const std::string k64(64, 'a');

struct Verdicts {
  bool dns1123_label;
  bool dns1123_subdomain;
  bool dns1035_label;
  bool qualified_name;
  bool label_value;
  bool path_segment;

  friend bool operator==(const Verdicts&, const Verdicts&) = default;
};

void PrintTo(const Verdicts& v, std::ostream* out) {
  *out << "label " << v.dns1123_label << ", subdomain " << v.dns1123_subdomain << ", dns1035 "
       << v.dns1035_label << ", qualified " << v.qualified_name << ", value " << v.label_value
       << ", segment " << v.path_segment;
}

struct Case {
  const char* name;
  std::string text;
  Verdicts want;
};

const Case kCases[] = {
    {"Word", "node", {true, true, true, true, true, true}},
    {"Empty", "", {false, false, false, false, true, true}},
    {"DigitFirst", "1node", {true, true, false, true, true, true}},
    {"Hyphens", "a--b", {true, true, true, true, true, true}},
    {"HyphenFirst", "-a", {false, false, false, false, false, true}},
    {"HyphenLast", "a-", {false, false, false, false, false, true}},
    {"UpperCase", "Node", {false, false, false, true, true, true}},
    {"Underscore", "a_b", {false, false, false, true, true, true}},
    {"Dots", "a.b", {false, true, false, true, true, true}},
    {"TwoDotsTogether", "a..b", {false, false, false, true, true, true}},
    {"DotLast", "a.", {false, false, false, false, false, true}},
    {"HyphenBeforeDot", "a-.b", {false, false, false, true, true, true}},
    {"Prefix", "example.com/a", {false, false, false, true, false, false}},
    {"UpperCasePrefix", "Example.com/a", {false, false, false, false, false, false}},
    {"EmptyPrefix", "/a", {false, false, false, false, false, false}},
    {"EmptyAfterPrefix", "example.com/", {false, false, false, false, false, false}},
    {"TwoSlashes", "a/b/c", {false, false, false, false, false, false}},
    {"Space", "a b", {false, false, false, false, false, true}},
    {"NotAscii", "m\u00fchle", {false, false, false, false, false, true}},
    {"ControlCharacter", std::string("a\0b", 3), {false, false, false, false, false, true}},
    {"LineFeedLast", "a\n", {false, false, false, false, false, true}},
    {"Dot", ".", {false, false, false, false, false, false}},
    {"DotDot", "..", {false, false, false, false, false, false}},
    {"Percent", "a%2fb", {false, false, false, false, false, false}},
    {"LongestLabel", k63, {true, true, true, true, true, true}},
    {"TooLongForALabel", k64, {false, true, false, false, false, true}},
    {"LongestSubdomain", std::string(253, 'a'), {false, true, false, false, false, true}},
    {"TooLongForASubdomain", std::string(254, 'a'), {false, false, false, false, false, true}},
    {"LongestQualifiedName",
     std::string(253, 'a') + "/" + k63,
     {false, false, false, true, false, false}},
    {"PrefixTooLong", std::string(254, 'a') + "/a", {false, false, false, false, false, false}},
};

class NamesTest : public testing::TestWithParam<Case> {};

TEST_P(NamesTest, IsAcceptedWhereKubernetesAcceptsIt) {
  const std::string& text = GetParam().text;
  const Verdicts got = {CheckDns1123Label(text).empty(), CheckDns1123Subdomain(text).empty(),
                        CheckDns1035Label(text).empty(), CheckQualifiedName(text).empty(),
                        CheckLabelValue(text).empty(),   CheckPathSegment(text).empty()};
  EXPECT_EQ(got, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, NamesTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

// Clients compare these texts, and people search the web for them.
TEST(Names, ComplainInTheWordsOfKubeApiserver) {
  EXPECT_THAT(
      CheckDns1123Label("A"),
      ElementsAre(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
          "and "
          "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
  EXPECT_THAT(CheckDns1123Label("a.b"), ElementsAre("must not contain dots"));
  EXPECT_THAT(CheckDns1123Label(k64), ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(CheckDns1123Subdomain("A"),
              ElementsAre(HasSubstr(
                  "(e.g. 'example.com', regex used for validation is "
                  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')")));
  EXPECT_THAT(CheckLabelValue("-"),
              ElementsAre(StartsWith("a valid label must be an empty string or consist")));
  EXPECT_THAT(CheckLabelValue(k64), ElementsAre("must be no more than 63 bytes"));
  EXPECT_THAT(CheckQualifiedName(""),
              ElementsAre("name part must be non-empty", StartsWith("name part must")));
  EXPECT_THAT(CheckQualifiedName("/a"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(CheckQualifiedName("A/a"),
              ElementsAre(StartsWith("prefix part a lowercase RFC 1123 subdomain")));
  EXPECT_THAT(CheckQualifiedName("a/b/c"),
              ElementsAre(StartsWith("a valid label key must consist of")));
  EXPECT_THAT(CheckPathSegment("a/b%"), ElementsAre("may not contain '/'", "may not contain '%'"));
  EXPECT_THAT(CheckPathSegment(".."), ElementsAre("may not be '..'"));
}

TEST(Names, AnnotationPrefixesMayBeInAnyCase) {
  EXPECT_THAT(CheckAnnotationKey("Example.COM/Note"), IsEmpty());
  EXPECT_THAT(CheckAnnotationKey("example.com/"), testing::SizeIs(2));
}

TEST(Names, AnnotationsHave256KibibytesTogether) {
  Labels annotations{{"a", std::string(256 * 1024 - 1, 'x')}};
  EXPECT_THAT(CheckAnnotationsSize(annotations), IsEmpty());
  annotations["b"] = "";
  EXPECT_THAT(CheckAnnotationsSize(annotations), ElementsAre("may not be more than 262144 bytes"));
}

TEST(GenerateName, AppendsTheSuffix) { EXPECT_EQ(GenerateName("pool-", "x7k2m"), "pool-x7k2m"); }

TEST(GenerateName, CutsTheBaseNotTheSuffix) {
  EXPECT_EQ(GenerateName(k64, "x7k2m"), std::string(58, 'a') + "x7k2m");
}

TEST(RandomSuffix, UsesEveryNumberAndNoVowels) {
  EXPECT_EQ(RandomSuffix({0, 1, 26, 27, 4294967295}), "bc9b4");
}

TEST(GenerateName, MakesLabelsOfLabels) {
  EXPECT_TRUE(rc::check([](const std::array<uint32_t, 5>& random, uint8_t length) {
    const std::string base(length + 1U, 'a');
    RC_ASSERT(CheckDns1123Label(GenerateName(base, RandomSuffix(random))).empty());
  }));
}

}  // namespace
}  // namespace millwright::kube
