#include "apiserver/server/api_handler.h"

#include <fmt/format.h>

#include <utility>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/rest/render.h"
#include "apiserver/server/gzip.h"
#include "kube/yaml/yaml.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

std::string HeaderOf(const net::HttpRequest& request, std::string_view name) {
  return std::string(request.headers.Find(name).value_or(""));
}

net::ServerResponse StatusResponse(const Error& error) {
  const kube::Status status = StatusOf(error);
  net::ServerResponse response;
  response.http.status = status.code;
  response.http.headers.Set("Content-Type", "application/json");
  if (status.details.retry_after_seconds > 0) {
    response.http.headers.Set("Retry-After", std::to_string(status.details.retry_after_seconds));
  }
  json::object body = kube::EncodeStatus(status);
  // Refusals that are about the endpoint have details, though nothing in them.
  const bool about_endpoint = status.code == 403 || status.code == 404 || status.code == 405 ||
                              status.code == 406 || status.code == 422 ||
                              status.message.starts_with("415:");
  // What a webhook says is passed on as it is.
  const bool by_webhook = status.message.starts_with("admission webhook ");
  if (about_endpoint && !by_webhook && !body.contains("details")) body["details"] = json::object();
  response.http.body = json::serialize(body) + "\n";
  return response;
}

// Quoted for a Warning header, on one line.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

void AddWarnings(const std::vector<std::string>& warnings, net::Headers& headers) {
  for (const std::string& warning : warnings) headers.Add("Warning", "299 - " + Quoted(warning));
}

// Where not even the group is known.
net::ServerResponse NoSuchPage() {
  net::ServerResponse response;
  response.http = {.status = 404, .headers = {}, .body = "404 page not found\n"};
  response.http.headers.Set("Content-Type", "text/plain; charset=utf-8");
  return response;
}

// Counts a request while it is being answered.
class InFlight {
 public:
  explicit InFlight(int& count) : count_(count) { ++count_; }
  ~InFlight() { --count_; }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  int& count_;
};

}  // namespace

Task<net::ServerResponse> ApiHandler::Handle(net::ServerRequest request) {
  const bool gzip = AcceptsGzip(HeaderOf(request.http, "Accept-Encoding"));
  auto answered = co_await Answer(std::move(request));
  net::ServerResponse response = answered ? *std::move(answered) : StatusResponse(answered.error());
  if (!response.http.headers.Find("Cache-Control")) {
    response.http.headers.Set("Cache-Control", "no-cache, private");
  }
  if (gzip && !response.stream) CompressBody(response.http);
  co_return response;
}

Task<Result<net::ServerResponse>> ApiHandler::Answer(net::ServerRequest request) {
  auto target = net::ParseTarget(request.http.target);
  if (!target) co_return BadRequest(target.error().message());
  CO_TRY(User user, gates_.authenticate(request.peer, request.http));
  auto place = PlaceOf(*target);
  if (place) {
    co_return co_await AnswerResource(std::move(request), *std::move(target), *std::move(place),
                                      std::move(user));
  }
  const std::string path = request.http.target.substr(0, request.http.target.find('?'));
  const std::string verb = request.http.method == "GET" ? "get" : "post";
  CO_CHECK(gates_.authorize(user, {.verb = verb, .place = {}, .path = path}));
  auto answer = gates_.answer_path(request.http, *target);
  if (!answer) co_return NoSuchPage();
  net::ServerResponse response;
  response.http = *std::move(answer);
  co_return response;
}

Task<Result<net::ServerResponse>> ApiHandler::AnswerResource(net::ServerRequest request,
                                                             net::Target target, Place place,
                                                             User user) {
  const std::string_view verb = VerbOf(request.http.method, place, IsWatch(target));
  const std::string fields(target.Find("fieldSelector").value_or(""));
  CO_CHECK(gates_.authorize(
      user, {.verb = std::string(verb), .place = place, .path = {}, .field_selector = fields}));
  Call call{.resource = services_.registry.Find(place.group, place.version, place.resource),
            .place = std::move(place),
            .target = std::move(target),
            .method = request.http.method,
            .content_type = HeaderOf(request.http, "Content-Type"),
            .user_agent = HeaderOf(request.http, "User-Agent"),
            .body = std::move(request.http.body),
            .output = {},
            .user = std::move(user)};
  if (services_.registry.FindVersion(call.place.group, call.place.version) == nullptr) {
    co_return NoSuchPage();
  }
  if (!call.resource) co_return NoSuchPath();
  if (!call.resource->namespaced && call.place.resource != "namespaces" &&
      !call.place.namespace_.empty()) {
    co_return NoSuchPath();
  }
  CO_TRY(call.output, NegotiateOutput(HeaderOf(request.http, "Accept")));
  if (verb != "watch" && in_flight_ >= limits_.in_flight) {
    co_return TooManyRequests("Too many requests, please try again later.", 1);
  }
  const InFlight counted(in_flight_);
  std::vector<std::string> warnings;
  call.refusal_warnings = &warnings;
  auto answer = co_await Dispatch(services_, special_, call);
  if (answer) co_return Respond(call, *std::move(answer));
  net::ServerResponse refusal = StatusResponse(answer.error());
  AddWarnings(warnings, refusal.http.headers);
  co_return refusal;
}

net::ServerResponse ApiHandler::Respond(const Call& call, apiserver::Answer answer) const {
  net::ServerResponse response;
  response.http.status = answer.code;
  AddWarnings(answer.warnings, response.http.headers);
  response.http.headers.Set("Content-Type", "application/json");
  if (answer.stream) {
    response.stream = std::move(answer.stream);
    return response;
  }
  response.http.body = Render(call.output, *call.resource, std::move(answer.text),
                              TableWishesOf(call.target), services_.clock.Now());
  if (call.output.yaml) {
    response.http.headers.Set("Content-Type", "application/yaml");
    response.http.body = kube::ToYaml(json::parse(response.http.body));
  }
  return response;
}

}  // namespace millwright::apiserver
