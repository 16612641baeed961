// Answers recorded from kube-apiserver 1.36.
#include "apiserver/builtin/go_time.h"

#include <gtest/gtest.h>

namespace millwright::apiserver::builtin {
namespace {

struct Case {
  std::string_view text;
  bool micro;
  std::string_view fault;
};

TEST(GoTimeFault, SpeaksAsGo) {
  constexpr std::string_view kAsTime = R"( as "2006-01-02T15:04:05Z07:00": cannot parse )";
  constexpr std::string_view kAsMicro = R"( as "2006-01-02T15:04:05.000000Z07:00": cannot parse )";
  const Case cases[] = {
      {"2026-01-01T00:00:00.5Z", false, ""},
      {"2026-01-01T00:00:00.123456+02:00", true, ""},
      {"", false, R"("" as "2006")"},
      {"20", true, R"("20" as "2006")"},
      {"2026-01-01T00:00:00", false, R"("" as "Z07:00")"},
      {"2026-01-01t00:00:00z", false, R"("t00:00:00z" as "T")"},
      {"2026-01-01T00:00:00Z", true, R"("Z" as ".000000")"},
      {"2026-01-01T00:00:00.1234Z", true, R"(".1234Z" as ".000000")"},
      {"2026-01-01T00:00:00.123456789Z", true, R"("789Z" as "Z07:00")"},
      {"2026-01-01 00:00:00.000000Z", true, R"(" 00:00:00.000000Z" as "T")"},
  };
  for (const auto& test : cases) {
    const std::string start = "parsing time \"" + std::string(test.text) + "\"";
    EXPECT_EQ(GoTimeFault(test.text, test.micro),
              test.fault.empty()
                  ? ""
                  : start + std::string(test.micro ? kAsMicro : kAsTime) + std::string(test.fault));
  }
  EXPECT_EQ(GoTimeFault("2026-13-01T00:00:00.123456Z", true),
            R"(parsing time "2026-13-01T00:00:00.123456Z": month out of range)");
  EXPECT_EQ(GoTimeFault("2026-02-30T00:00:00Z", false),
            R"(parsing time "2026-02-30T00:00:00Z": day out of range)");
  EXPECT_EQ(GoTimeFault("2026-01-01T00:00:00.5+02:00x", false),
            R"(parsing time "2026-01-01T00:00:00.5+02:00x": extra text: "x")");
}

}  // namespace
}  // namespace millwright::apiserver::builtin
