#include "apiserver/crd/webhook_converter.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/builtin/base64.h"
#include "apiserver/crd/conversion_review.h"
#include "apiserver/crd/definition.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr Duration kTimeout = std::chrono::seconds(30);

WebhookAddress AddressOf(const json::value& client) {
  WebhookAddress address;
  const auto ca = builtin::DecodeBase64(kube::GetString(client, "caBundle"));
  if (ca) address.ca_certificates = *ca;
  address.url = kube::GetString(client, "url");
  const json::value* service = kube::Find(client, "service");
  if (service == nullptr || !service->is_object()) return address;
  address.server_name = fmt::format("{}.{}.svc", kube::GetString(*service, "name"),
                                    kube::GetString(*service, "namespace"));
  std::string_view path = kube::GetString(*service, "path");
  if (path.starts_with('/')) path.remove_prefix(1);
  address.url = fmt::format("https://{}:{}/{}", address.server_name,
                            kube::GetInt(*service, "port", 443), path);
  return address;
}

std::string TargetOf(std::string_view url) {
  const auto host = url.find("://");
  const auto path = url.find('/', host == std::string_view::npos ? 0 : host + 3);
  return path == std::string_view::npos ? "/" : std::string(url.substr(path));
}

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
    if (!http_) {
      if (!calls_.dial) co_return Fail(ErrorKind::kUnavailable, "webhooks cannot be called here");
      CO_TRY(http_, calls_.dial(address_));
    }
    const ConversionRequest request{
        .review_version = review_version_,
        .uid = calls_.random == nullptr ? "conversion" : calls_.random->Uuid(),
        .api_version = std::move(api_version),
        .objects = objects};
    net::HttpRequest post{
        .method = "POST",
        .target = TargetOf(address_.url),
        .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json, */*"}},
        .body = WriteReview(request),
        .timeout = kTimeout};
    CO_TRY(const net::HttpResponse answer, co_await http_->Send(std::move(post)));
    if (answer.status != 200) {
      co_return Fail(ErrorKind::kInvalid, fmt::format("Post \"{}\": the webhook answered {}",
                                                      address_.url, answer.status));
    }
    co_return ReadReview(request, answer.body);
  }

  const std::string kind_;
  const WebhookAddress address_;
  const std::string review_version_;
  const WebhookCalls calls_;
  std::shared_ptr<net::Http> http_;
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
