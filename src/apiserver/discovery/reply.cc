#include "apiserver/discovery/reply.h"

#include <algorithm>
#include <array>
#include <string>

#include <boost/json.hpp>

#include "apiserver/discovery/indented.h"
#include "kube/api/status.h"
#include "kube/yaml/yaml.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool WantsLineBreaks(const net::HttpRequest& request, const net::Target& target) {
  if (const auto pretty = target.Find("pretty")) return *pretty != "false" && *pretty != "0";
  constexpr std::array<std::string_view, 3> kPeople = {"curl", "Wget", "Mozilla/5.0"};
  const auto agent = request.headers.Find("User-Agent").value_or("");
  return std::ranges::any_of(kPeople, [&](auto name) { return agent.starts_with(name); });
}

net::HttpResponse Text(int status, std::string_view media_type, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", std::string(media_type)}},
          .body = std::move(text)};
}

net::HttpResponse Refusal(int code, std::string_view reason, std::string_view message) {
  const kube::Status status{.status = "Failure",
                            .message = std::string(message),
                            .reason = std::string(reason),
                            .details = {},
                            .code = code};
  return Text(code, "application/json", json::serialize(kube::EncodeStatus(status)) + "\n");
}

}  // namespace

net::HttpResponse Reply(const net::HttpRequest& request, const net::Target& target,
                        DiscoveryForm form, const json::value& document) {
  if (form == DiscoveryForm::kYaml) return Text(200, "application/yaml", kube::ToYaml(document));
  if (WantsLineBreaks(request, target)) return ReplyIndented(document);
  return Text(200, "application/json", json::serialize(document) + "\n");
}

net::HttpResponse ReplyIndented(const json::value& document) {
  return Text(200, "application/json", Indented(document));
}

net::HttpResponse PageNotFound() {
  return Text(404, "text/plain; charset=utf-8", "404 page not found\n");
}

net::HttpResponse NoSuchVersion() {
  return Refusal(404, "NotFound", "the server could not find the requested resource");
}

net::HttpResponse NotGet() {
  return Refusal(405, "MethodNotAllowed",
                 "the server does not allow this method on the requested resource");
}

net::HttpResponse NoAcceptableForm() {
  return Refusal(406, "NotAcceptable",
                 "only the following media types are accepted: application/json, "
                 "application/yaml, application/vnd.kubernetes.protobuf");
}

}  // namespace millwright::apiserver
