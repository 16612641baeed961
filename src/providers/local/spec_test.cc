#include "providers/local/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::providers {
namespace {

using testing::HasSubstr;

TEST(LocalSpecTest, SaysWhatTheNodeHas) {
  const auto spec =
      ParseLocalSpec(R"({"cpu": 2, "memory": "4Gi", "pods": "20", "labels": {"pool": "a"}})");
  ASSERT_TRUE(spec) << spec.error().message();
  EXPECT_EQ(*spec,
            (LocalSpec{.cpu = "2", .memory = "4Gi", .pods = "20", .labels = {{"pool", "a"}}}));
}

TEST(LocalSpecTest, NeedNotSayAnything) {
  for (const char* text : {"", "{}", "null"}) EXPECT_EQ(ParseLocalSpec(text).value(), LocalSpec());
}

TEST(LocalSpecTest, NamesWhatIsWrong) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {{"{", "not JSON"},
               {"[]", "object"},
               {R"({"cpus": "2"})", "no field cpus"},
               {R"({"cpu": "two"})", "cpu must be"},
               {R"({"memory": "4 GB"})", "memory must be"},
               {R"({"pods": true})", "pods must be"},
               {R"({"labels": []})", "labels must"},
               {R"({"labels": {"a": 1}})", "labels.a"}};
  for (const auto& test : cases) {
    const auto spec = ParseLocalSpec(test.text);
    ASSERT_FALSE(spec) << test.text;
    EXPECT_EQ(spec.error().kind(), ErrorKind::kInvalid);
    EXPECT_THAT(spec.error().message(), HasSubstr(test.says));
  }
}

}  // namespace
}  // namespace millwright::providers
