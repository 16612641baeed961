#include "apiserver/crd/webhook_converter.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/crd/conversion_review.h"
#include "apiserver/crd/definition.h"
#include "apiserver/webhooks/post.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr Duration kTimeout = std::chrono::seconds(30);

// The first that we know, in the webhook's order of preference.
std::string ReviewVersionOf(const json::value& crd) {
  for (const std::string& version :
       TextsAt(crd, "spec.conversion.webhook.conversionReviewVersions")) {
    if (version == "v1" || version == "v1beta1") return version;
  }
  return {};
}

class WebhookConverter final : public Converter {
 public:
  WebhookConverter(std::string kind, WebhookAddress address, std::string review_version,
                   WebhookCalls calls)
      : kind_(std::move(kind)),
        address_(std::move(address)),
        review_version_(std::move(review_version)),
        calls_(std::move(calls)) {}

  Task<Result<std::vector<json::value>>> Convert(std::vector<json::value> objects,
                                                 std::string api_version) override {
    std::vector<json::value> others;
    const auto is_other = [&](const json::value& object) {
      return kube::GetString(object, "apiVersion") != api_version;
    };
    std::ranges::copy_if(objects, std::back_inserter(others), is_other);
    if (others.empty()) co_return objects;
    const std::string from(kube::GetString(others.front(), "apiVersion"));
    auto converted = co_await Ask(std::move(others), api_version);
    if (!converted) {
      co_return Failure(
          Error(converted.error())
              .Wrap(fmt::format("conversion webhook for {}, Kind={} failed", from, kind_)));
    }
    auto next = converted->begin();
    for (json::value& object : objects) {
      if (is_other(object)) object = std::move(*next++);
    }
    co_return objects;
  }

 private:
  Task<Result<std::vector<json::value>>> Ask(std::vector<json::value> objects,
                                             std::string api_version) {
    const ConversionRequest request{
        .review_version = review_version_,
        .uid = calls_.random == nullptr ? "conversion" : calls_.random->Uuid(),
        .api_version = std::move(api_version),
        .objects = objects};
    CO_TRY(const std::string answer,
           co_await PostReview(calls_, address_, WriteReview(request), kTimeout));
    co_return ReadReview(request, answer);
  }

  const std::string kind_;
  const WebhookAddress address_;
  const std::string review_version_;
  const WebhookCalls calls_;
};

}  // namespace

std::shared_ptr<Converter> ConverterOf(const json::value& crd, const WebhookCalls& calls) {
  const json::value* client = kube::Find(crd, "spec.conversion.webhook.clientConfig");
  if (kube::GetString(crd, "spec.conversion.strategy") != "Webhook" || client == nullptr) {
    return nullptr;
  }
  return std::make_shared<WebhookConverter>(std::string(kube::GetString(crd, "spec.names.kind")),
                                            AddressOf(*client), ReviewVersionOf(crd), calls);
}

}  // namespace millwright::apiserver
