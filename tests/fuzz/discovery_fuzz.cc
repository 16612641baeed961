// What a server says of itself: any text is refused or becomes kinds and a version that can be
// used.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kube/api/json_text.h"
#include "kube/connect/connection.h"
#include "kube/connect/discovery.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::kube;

namespace {

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "\"\"",
                                        "\"1\"",
                                        "\"36+\"",
                                        "\"pods\"",
                                        "\"pods/log\"",
                                        "\"gitVersion\":\"v1\"",
                                        "\"major\":",
                                        "\"minor\":",
                                        "{\"resources\":[",
                                        "{\"name\":\"pods\"",
                                        "\"kind\":\"Pod\"",
                                        "\"namespaced\":true",
                                        "\"verbs\":[\"get\"]",
                                        "\"shortNames\":[\"po\"]",
                                        "}]}"};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::TokenText(data, size, kTokens);
  const auto tree = ParseJson(text);
  const auto version = ParseServerVersion(text);
  if (version && (!tree || GetString(*tree, "gitVersion") != version->git_version)) std::abort();
  if (version && version->git_version.empty()) std::abort();

  const auto resources = ParseResourceList(text);
  if (!resources) return 0;
  const boost::json::array* listed = tree ? GetArray(*tree, "resources") : nullptr;
  if (listed == nullptr || resources->size() > listed->size()) std::abort();
  for (const ApiResource& resource : *resources) {
    if (resource.resource.contains('/')) std::abort();
  }
  return 0;
}
