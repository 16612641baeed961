// Any object of a built-in kind is refused, or has defaults that stay the same, and can be judged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <boost/json.hpp>

#include "apiserver/builtin/create.h"
#include "apiserver/builtin/defaults.h"
#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/validate.h"
#include "kube/api/group_version.h"
#include "kube/api/json_text.h"

namespace json = boost::json;
using namespace millwright::apiserver;  // NOLINT(google-build-using-namespace)
namespace kube = millwright::kube;

namespace {

// The defaulted object; null if it is refused.
json::value Read(const kube::GroupVersionKind& kind, std::string_view text) {
  const auto object = kube::ParseJson(text);
  if (!object) return {};
  json::value result = *object;
  if (!NormalizeBuiltin(kind, result)) return {};
  ApplyBuiltinDefaults(kind, result);
  json::value again = result;
  if (!NormalizeBuiltin(kind, again)) std::abort();
  ApplyBuiltinDefaults(kind, again);
  if (again != result) std::abort();
  return result;
}

}  // namespace

// A kind, a line feed, an object; perhaps another line feed and what it was before.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t first = input.find('\n');
  if (first == input.npos) return 0;
  const std::string_view name = input.substr(0, first);
  const size_t slash = name.rfind('/');
  if (slash == name.npos) return 0;
  const auto kind = kube::ParseGroupVersionKind(name.substr(0, slash), name.substr(slash + 1));
  if (!kind) return 0;
  const std::string_view rest = input.substr(first + 1);
  const size_t second = rest.find('\n');

  json::value object = Read(*kind, rest.substr(0, second));
  if (object.is_null()) return 0;
  static_cast<void>(ValidateBuiltin(*kind, object, nullptr));
  json::value old = second == rest.npos ? json::value() : Read(*kind, rest.substr(second + 1));
  if (old.is_null()) {
    PrepareBuiltinCreate(*kind, object);
    return 0;
  }
  PrepareBuiltinUpdate(*kind, false, old, object);
  static_cast<void>(ValidateBuiltin(*kind, object, &old));
  return 0;
}
