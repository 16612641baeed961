// Whatever a webhook answers is a verdict or is refused, and what is refused is no verdict.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "apiserver/crd/conversion_review.h"
#include "apiserver/webhooks/configuration.h"
#include "apiserver/webhooks/review.h"
#include "kube/api/json_text.h"

using namespace millwright;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* version : {"v1", "v1beta1"}) {
    const auto verdict = apiserver::ReadAdmissionReview(version, "u", true, text);
    if (verdict && verdict->patch && !verdict->patch->is_array()) std::abort();
    const auto judged = apiserver::ReadAdmissionReview(version, "u", false, text);
    if (judged && judged->patch) std::abort();
  }
  const std::vector<boost::json::value> objects = {
      {{"apiVersion", "example.org/v2"}, {"metadata", {{"name", "a"}}}}};
  const apiserver::ConversionRequest request{
      .review_version = "v1", .uid = "u", .api_version = "example.org/v1", .objects = objects};
  const auto converted = apiserver::ReadReview(request, text);
  if (converted && converted->size() != 1) std::abort();
  if (const auto configuration = kube::ParseJson(text)) {
    (void)apiserver::ReadWebhooks(*configuration);
  }
  return 0;
}
