#include "kube/api/resource_version.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string>

namespace millwright::kube {
namespace {

struct Case {
  const char* name;
  const char* a;
  const char* b;
  std::partial_ordering want;
};

const Case kCases[] = {
    {"Smaller", "9", "10", std::partial_ordering::less},
    {"Larger", "10", "9", std::partial_ordering::greater},
    {"Same", "10", "10", std::partial_ordering::equivalent},
    {"BeyondSixtyFourBits", "99999999999999999999", "100000000000000000000",
     std::partial_ordering::less},
    {"WordsAreNotOrdered", "a", "b", std::partial_ordering::unordered},
    {"AWordIsItself", "a", "a", std::partial_ordering::equivalent},
    {"ZeroIsNoVersion", "0", "1", std::partial_ordering::unordered},
    {"LeadingZero", "01", "2", std::partial_ordering::unordered},
    {"NothingIsNoVersion", "", "1", std::partial_ordering::unordered},
    {"NegativeIsNoVersion", "-1", "1", std::partial_ordering::unordered},
};

class CompareResourceVersionsTest : public testing::TestWithParam<Case> {};

TEST_P(CompareResourceVersionsTest, ComparesNumbers) {
  const ResourceVersion a{GetParam().a};
  const ResourceVersion b{GetParam().b};
  EXPECT_TRUE(CompareResourceVersions(a, b) == GetParam().want);
  EXPECT_TRUE(CompareResourceVersions(b, a) == 0 <=> GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, CompareResourceVersionsTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CompareResourceVersions, AgreesWithNumbers) {
  EXPECT_TRUE(rc::check([] {
    const auto a = *rc::gen::inRange<uint64_t>(1, UINT64_MAX);
    const auto b = *rc::gen::inRange<uint64_t>(1, UINT64_MAX);
    const auto order = CompareResourceVersions(ResourceVersion(std::to_string(a)),
                                               ResourceVersion(std::to_string(b)));
    RC_ASSERT(order == (a <=> b));
  }));
}

}  // namespace
}  // namespace millwright::kube
