#include "kube/projection/json_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// Calls `read` with the object that the text is.
template <class Read>
Result<void> WithObject(std::string_view text, Read read) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) return Failure(JsonError(code));
  JsonObject object;
  if (const auto code = document.get_object().get(object)) return Failure(JsonError(code));
  return read(object);
}

// Reads {"value": TEXT} over what is there.
template <class T>
Result<T> Read(std::string_view text, T target = {}) {
  CHECK_OK(WithObject(R"({"value":)" + std::string(text) + "}", [&](JsonObject object) {
    return ForEachField(object,
                        [&](std::string_view, JsonValue value) { return ReadInto(value, target); });
  }));
  return target;
}

template <class T>
std::string Refusal(const Result<T>& result) {
  if (result) return "read";
  EXPECT_EQ(result.error().kind(), ErrorKind::kInvalid);
  return "(" + result.error().message() + ")";
}

// The value as text, or the error's message in brackets: so one table holds both.
template <class T>
std::string Outcome(const Result<T>& result) {
  return result ? fmt::format("{}", *result) : Refusal(result);
}

struct ReadCase {
  const char* name;
  const char* text;
  const char* as_text;
  const char* as_bool;
  const char* as_int64;
  const char* as_int32;
};

const ReadCase kReads[] = {
    {"Text", R"("red")", "red", "(value: is not true or false)", "(value: is not a whole number)",
     "(value: is not a whole number)"},
    {"EmptyText", R"("")", "", "(value: is not true or false)", "(value: is not a whole number)",
     "(value: is not a whole number)"},
    {"EscapedText", R"("a\"b\u00e4\ud83d\ude00\/")", "a\"bä😀/", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
    {"HalfASurrogate", R"("\ud83d")", "(value: is not text)", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
    {"True", "true", "(value: is not text)", "true", "(value: is not a whole number)",
     "(value: is not a whole number)"},
    {"Truth", "truth", "(value: is not text)", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
    {"Zero", "0", "(value: is not text)", "(value: is not true or false)", "0", "0"},
    {"Negative", "-7", "(value: is not text)", "(value: is not true or false)", "-7", "-7"},
    {"MostOf32Bits", "2147483647", "(value: is not text)", "(value: is not true or false)",
     "2147483647", "2147483647"},
    {"MoreThan32Bits", "2147483648", "(value: is not text)", "(value: is not true or false)",
     "2147483648", "(value: is out of range)"},
    {"LeastOf32Bits", "-2147483648", "(value: is not text)", "(value: is not true or false)",
     "-2147483648", "-2147483648"},
    {"MostOf64Bits", "9223372036854775807", "(value: is not text)", "(value: is not true or false)",
     "9223372036854775807", "(value: is out of range)"},
    {"MoreThan64Bits", "9223372036854775808", "(value: is not text)",
     "(value: is not true or false)", "(value: is not a whole number)",
     "(value: is not a whole number)"},
    {"Fraction", "1.5", "(value: is not text)", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
    {"Object", "{}", "(value: is not text)", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
    {"List", "[]", "(value: is not text)", "(value: is not true or false)",
     "(value: is not a whole number)", "(value: is not a whole number)"},
};

class ReadIntoTest : public testing::TestWithParam<ReadCase> {};

TEST_P(ReadIntoTest, TakesItsTypeAndNamesTheFieldOfAnyOther) {
  const ReadCase& test = GetParam();
  EXPECT_EQ(Outcome(Read<std::string>(test.text)), test.as_text);
  EXPECT_EQ(Outcome(Read<bool>(test.text)), test.as_bool);
  EXPECT_EQ(Outcome(Read<std::int64_t>(test.text)), test.as_int64);
  EXPECT_EQ(Outcome(Read<std::int32_t>(test.text)), test.as_int32);
}

INSTANTIATE_TEST_SUITE_P(All, ReadIntoTest, testing::ValuesIn(kReads),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ReadIntoNullTest, KeepsWhatIsThere) {
  EXPECT_EQ(Read<std::string>("null", "kept"), "kept");
  EXPECT_EQ(Read<bool>("null", true), true);
  EXPECT_EQ(Read<std::int64_t>("null", 7), 7);
  EXPECT_EQ(Read<std::int32_t>("null", 7), 7);
  EXPECT_EQ(Read<Uid>("null", Uid("kept")), Uid("kept"));
  EXPECT_EQ(Read<WallTime>("null", WallTime(std::chrono::seconds(5))),
            WallTime(std::chrono::seconds(5)));
  EXPECT_EQ(Read<std::optional<bool>>("null", true), true);
  EXPECT_THAT(*Read<std::vector<std::string>>("null", {"kept"}), ElementsAre("kept"));
  EXPECT_THAT(*(Read<std::map<std::string, std::string>>("null", {{"a", "kept"}})),
              ElementsAre(Pair("a", "kept")));
}

TEST(ReadIntoOptionalTest, AbsentIsNoneAndZeroIsAValue) {
  EXPECT_EQ(Read<std::optional<std::int32_t>>("null"), std::nullopt);
  EXPECT_EQ(Read<std::optional<std::int32_t>>("0"), 0);
  EXPECT_EQ(Refusal(Read<std::optional<std::int32_t>>("{}")), "(value: is not a whole number)");
}

TEST(ReadIntoTimeTest, TakesRfc3339) {
  EXPECT_EQ(FormatTime(*Read<WallTime>(R"("2026-02-03T05:05:06+01:00")")), "2026-02-03T04:05:06Z");
  EXPECT_FALSE(Read<WallTime>(R"("yesterday")"));
  EXPECT_EQ(Refusal(Read<WallTime>("5")), "(value: is not text)");
}

TEST(ReadIntoListTest, TakesEachItem) {
  EXPECT_THAT(*Read<std::vector<std::string>>(R"(["a","b"])"), ElementsAre("a", "b"));
  EXPECT_THAT(*Read<std::vector<std::string>>("[]"), ElementsAre());
  EXPECT_EQ(Refusal(Read<std::vector<std::string>>("{}")), "(value: is not a list)");
  EXPECT_EQ(Refusal(Read<std::vector<std::string>>(R"(["a",1])")), "(value: is not text)");
}

TEST(ReadIntoMapTest, TakesEachFieldAndNamesTheWrongOne) {
  using Map = std::map<std::string, std::string>;
  EXPECT_THAT(*Read<Map>(R"({"a":"1","b\/c":"2"})"), ElementsAre(Pair("a", "1"), Pair("b/c", "2")));
  EXPECT_EQ(Refusal(Read<Map>("[]")), "(value: is not an object)");
  EXPECT_EQ(Refusal(Read<Map>(R"({"a":"1","b":2})")), "(value: b: is not text)");
}

TEST(ForEachFieldTest, SkipsWhatNobodyLooksAt) {
  std::string seen;
  const auto visited = WithObject(
      R"({"a":{"deep":[1,{"x":"}"}]},"b":[[],[{}]],"c":"yes","d":1e9})", [&](JsonObject object) {
        return ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
          seen += key;
          return key == "c" ? ReadInto(value, seen) : Result<void>();
        });
      });
  ASSERT_TRUE(visited) << visited.error().message();
  EXPECT_EQ(seen, "yesd");
}

TEST(ForEachFieldTest, ErrorsNameThePathFromOutsideIn) {
  std::int64_t replicas = 0;
  const auto visited = WithObject(R"({"spec":{"replicas":"three"}})", [&](JsonObject object) {
    return ForEachField(object, [&](std::string_view, JsonValue spec) {
      return ForEachField(
          spec, [&](std::string_view, JsonValue value) { return ReadInto(value, replicas); });
    });
  });
  ASSERT_FALSE(visited);
  EXPECT_EQ(visited.error().message(), "spec: replicas: is not a whole number");
}

// Text that is no JSON: whatever we look at is refused, and nothing throws.
class NotJsonTest : public testing::TestWithParam<const char*> {};

TEST_P(NotJsonTest, IsAnErrorForEveryType) {
  const char* text = GetParam();
  EXPECT_FALSE(Read<std::string>(text));
  EXPECT_FALSE(Read<bool>(text));
  EXPECT_FALSE(Read<std::int64_t>(text));
  EXPECT_FALSE(Read<std::int32_t>(text));
  EXPECT_FALSE(Read<WallTime>(text));
  EXPECT_FALSE(Read<Uid>(text));
  EXPECT_FALSE(Read<std::optional<std::string>>(text));
  EXPECT_FALSE(Read<std::vector<std::string>>(text));
  EXPECT_FALSE((Read<std::map<std::string, std::string>>(text)));
}

INSTANTIATE_TEST_SUITE_P(All, NotJsonTest,
                         testing::Values("x", "", ",", "}", "]", ":", "[", "{", "\"open", "nul",
                                         "nullx", "\xff", "\"\x01\""));

TEST(JsonErrorTest, SaysWhatIsWrongWithoutTheText) {
  const auto read = Read<std::string>(R"("secret)");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("not valid JSON"));
  EXPECT_THAT(read.error().message(), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace millwright::kube
