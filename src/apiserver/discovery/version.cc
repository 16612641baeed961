#include "apiserver/discovery/version.h"

#include <string>

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace {

constexpr std::string_view kMajor =
    kKubernetesMinorVersion.substr(0, kKubernetesMinorVersion.find('.'));
constexpr std::string_view kMinor = kKubernetesMinorVersion.substr(kMajor.size() + 1);

#if defined(__aarch64__)
constexpr std::string_view kPlatform = "linux/arm64";
#else
constexpr std::string_view kPlatform = "linux/amd64";
#endif

}  // namespace

boost::json::object VersionDocument() {
  const std::string previous = std::to_string(std::stoi(std::string(kMinor)) - 1);
  return {{"major", kMajor},
          {"minor", kMinor},
          {"emulationMajor", kMajor},
          {"emulationMinor", kMinor},
          {"minCompatibilityMajor", kMajor},
          {"minCompatibilityMinor", previous},
          // Semantic versions compare the same whatever stands behind the plus.
          {"gitVersion", "v" + std::string(kKubernetesVersion) + "+millwright"},
          {"gitCommit", "unknown"},
          {"gitTreeState", "clean"},
          {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", "none"},
          {"compiler", "clang"},
          {"platform", kPlatform}};
}

}  // namespace millwright::apiserver
