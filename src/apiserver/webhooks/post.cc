#include "apiserver/webhooks/post.h"

#include <fmt/format.h>

#include "kube/api/status.h"

namespace millwright::apiserver {

namespace {

// What a failure to get any answer is called.
std::string Reason(const WebhookAddress& address, const Error& error) {
  const std::string& message = error.message();
  if (message.contains("in time")) return "context deadline exceeded";
  if (message.contains("refused") && message.contains("onnect")) {
    std::string_view host = OriginOf(address.url);
    host.remove_prefix(std::min(host.find("://") + 3, host.size()));
    return fmt::format("dial tcp {}: connect: connection refused", host);
  }
  return message;
}

// What an HTTP status other than 200 is called.
std::string ReasonOf(const net::HttpResponse& answer) {
  switch (answer.status) {
    case 400: return "the server rejected our request for an unknown reason";
    case 401: return "the server has asked for the client to provide credentials";
    case 403: return "unknown";
    case 404: return "the server could not find the requested resource";
    case 405: return "the server does not allow this method on the requested resource";
    case 429:
      return "the server has received too many requests and has asked us to try again later";
    case 503: return "the server is currently unable to handle the request";
    case 504: return "the server was unable to return a response in the time allotted";
    default: break;
  }
  if (answer.status >= 500) {
    const kube::Status status = kube::ParseStatus(answer.status, answer.body);
    return fmt::format(R"(an error on the server ("{}") has prevented the request from succeeding)",
                       status.message);
  }
  return fmt::format(
      "the server responded with the status code {} but did not return more "
      "information",
      answer.status);
}

}  // namespace

std::string UrlWithTimeout(std::string_view url, Duration timeout) {
  // Parts of a second would tell the webhook to hurry more than it has to.
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(timeout).count();
  const char joint = url.contains('?') ? '&' : '?';
  return fmt::format("{}{}timeout={}s", url, joint, seconds);
}

Task<Result<std::string>> PostReview(WebhookCalls calls, WebhookAddress address, std::string body,
                                     Duration timeout) {
  if (!calls.dial) co_return Fail(ErrorKind::kUnavailable, "webhooks cannot be called here");
  const std::string url = UrlWithTimeout(address.url, timeout);
  const auto posting = [&](const Error& error, std::string why) {
    return Fail(error.kind(), fmt::format("Post \"{}\": {}", url, why));
  };
  const auto http = calls.dial(address);
  if (!http) co_return posting(http.error(), http.error().message());
  net::HttpRequest post{
      .method = "POST",
      .target = TargetOf(url),
      .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json, */*"}},
      .body = std::move(body),
      .timeout = timeout};
  auto answer = co_await (*http)->Send(std::move(post));
  if (!answer) co_return posting(answer.error(), Reason(address, answer.error()));
  if (answer->status != 200) co_return Fail(ErrorKind::kInvalid, ReasonOf(*answer));
  co_return std::move(answer->body);
}

}  // namespace millwright::apiserver
