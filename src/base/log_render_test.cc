#include "base/log_render.h"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <limits>
#include <string>

#include "base/secret.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

// 2026-01-01T00:00:00.000042Z
constexpr WallTime kTime = WallTime(1767225600s + 42us);

static_assert(!std::is_constructible_v<LogValue, SecretText>, "secrets must not be logged");
static_assert(!std::is_constructible_v<LogValue, const SecretText&>);
static_assert(!std::is_constructible_v<LogValue, int*>, "a pointer is not a bool");
static_assert(!std::is_constructible_v<LogValue, std::nullptr_t>);

struct ValueCase {
  const char* name;
  LogValue value;
  const char* text;
  const char* json;
};

const Uid kUid("0f-1");
const Error kError(ErrorKind::kConflict, "patching node: HTTP 409");

const ValueCase kValueCases[] = {
    {"Word", "node-1", "node-1", R"("node-1")"},
    {"Text", "two words", R"("two words")", R"("two words")"},
    {"Empty", "", R"("")", R"("")"},
    {"Quotes", R"(a"b\c)", R"("a\"b\\c")", R"("a\"b\\c")"},
    {"EqualsSignIsQuoted", "a=b", R"("a=b")", R"("a=b")"},
    {"LinesStayOne", "a\nb\r\tc", R"("a\nb\r\tc")", R"("a\nb\r\tc")"},
    {"NoControlOfTheTerminal", "\x1b[2J\x7f", R"("\u001b[2J\u007f")", R"("\u001b[2J\u007f")"},
    {"NorByTheUpperControls", "\xc2\x9b", R"("\u009b")", R"("\u009b")"},
    {"Nul", std::string_view("a\0b", 3), R"("a\u0000b")", R"("a\u0000b")"},
    {"Utf8", "Zürich 🛠", R"("Zürich 🛠")", R"("Zürich 🛠")"},
    {"BadByte", "a\xff", "\"a\uFFFD\"", "\"a\uFFFD\""},
    {"CutOff", "\xe2\x82", "\"\uFFFD\uFFFD\"", "\"\uFFFD\uFFFD\""},
    {"Overlong", "\xc0\xaf", "\"\uFFFD\uFFFD\"", "\"\uFFFD\uFFFD\""},
    {"Surrogate", "\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\"", "\"\uFFFD\uFFFD\uFFFD\""},
    {"TooLarge", "\xf4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\"",
     "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
    {"Truth", true, "true", "true"},
    {"Integer", -3, "-3", "-3"},
    {"LargeInteger", std::numeric_limits<std::uint64_t>::max(), "18446744073709551615",
     "18446744073709551615"},
    {"Number", 0.25, "0.25", "0.25"},
    {"NotANumber", std::numeric_limits<double>::quiet_NaN(), "NaN", R"("NaN")"},
    {"Infinite", -std::numeric_limits<double>::infinity(), "-Inf", R"("-Inf")"},
    {"Duration", 1500ms, "1.5s", R"("1.5s")"},
    {"Time", kTime, "2026-01-01T00:00:00.000042Z", R"("2026-01-01T00:00:00.000042Z")"},
    {"Enumeration", ErrorKind::kConflict, ToString(ErrorKind::kConflict).data(), nullptr},
    {"Failure", kError, R"("patching node: HTTP 409")", R"("patching node: HTTP 409")"},
    {"Identifier", kUid, "0f-1", R"("0f-1")"},
    {"NullText", static_cast<const char*>(nullptr), R"("")", R"("")"},
};

class RenderValueTest : public testing::TestWithParam<ValueCase> {
 protected:
  const LogField field_{"key", GetParam().value};
  const LogRecord record_{kTime, LogLevel::kInfo, "kube.leader", "m", {&field_, 1}};
};

TEST_P(RenderValueTest, AsText) {
  const std::string line = RenderText(record_, false);
  EXPECT_EQ(line.substr(line.find("key=") + 4), std::string(GetParam().text) + "\n");
}

TEST_P(RenderValueTest, AsJson) {
  const std::string line = RenderJson(record_);
  EXPECT_NO_THROW(boost::json::parse(line)) << line;
  if (GetParam().json != nullptr) {
    EXPECT_EQ(line, R"({"time":"2026-01-01T00:00:00.000042Z","level":"info",)"
                    R"("module":"kube.leader","msg":"m","key":)" +
                        std::string(GetParam().json) + "}\n");
  }
}

INSTANTIATE_TEST_SUITE_P(All, RenderValueTest, testing::ValuesIn(kValueCases),
                         [](const auto& test) { return std::string(test.param.name); });

const LogField kFields[] = {{"lease", "manager"}, {"attempt", 3}};
const LogRecord kRecord{kTime, LogLevel::kWarning, "kube.leader", "lease lost", kFields};

TEST(RenderTextTest, AlignsItsColumns) {
  EXPECT_EQ(RenderText(kRecord, false),
            "2026-01-01T00:00:00.000042Z WARN  kube.leader          "
            "lease lost                           lease=manager attempt=3\n");
}

TEST(RenderTextTest, HasNoBlanksAtTheEnd) {
  EXPECT_EQ(RenderText({kTime, LogLevel::kError, "net", "bye", {}}, false),
            "2026-01-01T00:00:00.000042Z ERROR net                  bye\n");
}

TEST(RenderTextTest, ColoursTimeLevelAndKeys) {
  EXPECT_EQ(RenderText(kRecord, true),
            "\x1b[2m2026-01-01T00:00:00.000042Z\x1b[0m \x1b[33mWARN \x1b[0m kube.leader          "
            "lease lost                           \x1b[2mlease=\x1b[0mmanager "
            "\x1b[2mattempt=\x1b[0m3\n");
}

TEST(RenderJsonTest, KeepsTheOrderOfFields) {
  EXPECT_EQ(RenderJson(kRecord),
            R"({"time":"2026-01-01T00:00:00.000042Z","level":"warning","module":"kube.leader",)"
            R"("msg":"lease lost","lease":"manager","attempt":3})"
            "\n");
}

}  // namespace
}  // namespace millwright
