#include "base/log_level.h"

#include <gtest/gtest.h>

namespace millwright {
namespace {

struct ParseCase {
  const char* name;
  const char* text;
  std::optional<LogLevels> want;
};

const ParseCase kParseCases[] = {
    {"NothingMeansInfo", "", LogLevels{}},
    {"OneForAll", "debug", LogLevels{LogLevel::kDebug, {}}},
    {"OneModule", "kube=debug", LogLevels{LogLevel::kInfo, {{"kube", LogLevel::kDebug}}}},
    {"SeveralInAnyOrder", "kube=debug,error,net=warning",
     LogLevels{LogLevel::kError, {{"kube", LogLevel::kDebug}, {"net", LogLevel::kWarning}}}},
    {"DottedModules", "kube.informer=info",
     LogLevels{LogLevel::kInfo, {{"kube.informer", LogLevel::kInfo}}}},
    {"TheLaterHolds", "net=debug,net=error",
     LogLevels{LogLevel::kInfo, {{"net", LogLevel::kError}}}},
    {"UnknownLevel", "loud", std::nullopt},
    {"UnknownLevelOfModule", "net=loud", std::nullopt},
    {"LevelMissing", "net=", std::nullopt},
    {"ModuleMissing", "=debug", std::nullopt},
    {"ModuleWithBlank", "net server=debug", std::nullopt},
    {"EmptyRule", "net=debug,,kube=debug", std::nullopt},
    {"CommaAtTheEnd", "net=debug,", std::nullopt},
};

class ParseLevelsTest : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseLevelsTest, Parses) {
  const auto levels = ParseLevels(GetParam().text);
  EXPECT_EQ(levels.has_value(), GetParam().want.has_value());
  if (levels && GetParam().want) {
    EXPECT_EQ(*levels, *GetParam().want);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ParseLevelsTest, testing::ValuesIn(kParseCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct LevelCase {
  const char* name;
  const char* module;
  LogLevel want;
};

const LevelCase kLevelCases[] = {
    {"NoRuleFits", "net.server", LogLevel::kWarning},
    {"Exact", "kube", LogLevel::kDebug},
    {"FromAbove", "kube.client", LogLevel::kDebug},
    {"LongestWins", "kube.informer", LogLevel::kError},
    {"FromFarAbove", "kube.informer.store", LogLevel::kError},
    {"NamesAreNotPrefixesOfWords", "kubelet", LogLevel::kWarning},
};

class LevelForTest : public testing::TestWithParam<LevelCase> {};

TEST_P(LevelForTest, Inherits) {
  const LogLevels levels{LogLevel::kWarning,
                         {{"kube.informer", LogLevel::kError}, {"kube", LogLevel::kDebug}}};
  EXPECT_EQ(LevelFor(levels, GetParam().module), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, LevelForTest, testing::ValuesIn(kLevelCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright
