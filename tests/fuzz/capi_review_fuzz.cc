// Whatever is sent to the webhooks is answered or refused, and an answer is a review that can be
// read. What was converted converts back.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "admission/capi_webhooks.h"
#include "kube/api/json_text.h"

using namespace millwright;

namespace {

std::optional<std::string> AnyVersion(std::string_view, std::string_view) { return "v1"; }

void Convert(const boost::json::value& object) {
  if (!object.is_object()) return;
  const auto old = dialects::capi::ToOld(object.get_object(), &AnyVersion);
  if (old && !dialects::capi::ToNew(*old)) std::abort();
  const auto made = dialects::capi::ToNew(object.get_object());
  if (made) (void)dialects::capi::ToOld(*made, &AnyVersion);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const admission::Routes kRoutes = admission::CapiRoutes({.taints = true}, &AnyVersion);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& [path, route] : kRoutes) {
    const auto answer = route(text);
    if (answer && !kube::ParseJson(*answer)) std::abort();
  }
  const auto object = kube::ParseJson(text);
  if (!object) return 0;
  Convert(*object);
  if (!object->is_object()) return 0;
  for (const std::string_view kind :
       {"Machine", "MachineSet", "MachineDeployment", "MachineHealthCheck", "MachineDrainRule"}) {
    const auto made = dialects::capi::Default(kind, object->get_object(), nullptr);
    if (made) (void)dialects::capi::Validate(kind, *made, &object->get_object(), {.taints = true});
  }
  return 0;
}
