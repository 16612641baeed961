#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/status.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

// Statuses are short; a body beyond this is something else.
constexpr size_t kMaxStatusBytes = size_t{4} << 20;
constexpr size_t kMaxExcerpt = 200;

struct CodeReason {
  int code;
  std::string_view reason;
};

constexpr std::array<CodeReason, 15> kReasons = {{
    {400, "BadRequest"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "NotFound"},
    {405, "MethodNotAllowed"},
    {406, "NotAcceptable"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "RequestEntityTooLarge"},
    {415, "UnsupportedMediaType"},
    {422, "Invalid"},
    {429, "TooManyRequests"},
    {500, "InternalError"},
    {503, "ServiceUnavailable"},
    {504, "Timeout"},
}};

std::string_view ReasonFor(int code) {
  const auto found = std::ranges::find(kReasons, code, &CodeReason::code);
  return found == kReasons.end() ? std::string_view() : found->reason;
}

// The beginning of a text of unknown origin, fit for one line of a log.
std::string Excerpt(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool printable = c > ' ' && c <= '~';
    if (printable) line += c;
    if (!printable && !line.empty() && line.back() != ' ') line += ' ';
    if (line.size() == kMaxExcerpt) return line + "...";
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

StatusDetails DecodeDetails(const json::value& value) {
  StatusDetails details;
  details.name = GetString(value, "details.name");
  details.group = GetString(value, "details.group");
  details.kind = GetString(value, "details.kind");
  details.uid = GetString(value, "details.uid");
  details.retry_after_seconds = std::max<int64_t>(GetInt(value, "details.retryAfterSeconds"), 0);
  const json::array* causes = GetArray(value, "details.causes");
  if (causes == nullptr) return details;
  for (const json::value& cause : *causes) {
    details.causes.push_back({std::string(GetString(cause, "reason")),
                              std::string(GetString(cause, "message")),
                              std::string(GetString(cause, "field"))});
  }
  return details;
}

void Write(json::object& object, std::string_view name, std::string_view text) {
  if (!text.empty()) object[name] = text;
}

json::object EncodeDetails(const StatusDetails& details) {
  json::object object;
  Write(object, "name", details.name);
  Write(object, "group", details.group);
  Write(object, "kind", details.kind);
  Write(object, "uid", details.uid);
  if (!details.causes.empty()) {
    json::array& causes = object["causes"].emplace_array();
    for (const StatusCause& cause : details.causes) {
      json::object& entry = causes.emplace_back(json::object()).get_object();
      Write(entry, "reason", cause.reason);
      Write(entry, "message", cause.message);
      Write(entry, "field", cause.field);
    }
  }
  if (details.retry_after_seconds > 0) object["retryAfterSeconds"] = details.retry_after_seconds;
  return object;
}

}  // namespace

std::optional<Status> DecodeStatus(const json::value& value) {
  if (GetString(value, "kind") != "Status" || GetString(value, "apiVersion") != "v1")
    return std::nullopt;
  Status status;
  status.status = GetString(value, "status", "Failure");
  status.message = GetString(value, "message");
  status.reason = GetString(value, "reason");
  status.details = DecodeDetails(value);
  const int64_t code = GetInt(value, "code");
  if (code > 0 && code < 1000) status.code = static_cast<int>(code);
  return status;
}

json::object EncodeStatus(const Status& status) {
  json::object object;
  object["kind"] = "Status";
  object["apiVersion"] = "v1";
  object["metadata"].emplace_object();
  Write(object, "status", status.status);
  Write(object, "message", status.message);
  Write(object, "reason", status.reason);
  json::object details = EncodeDetails(status.details);
  if (!details.empty()) object["details"] = std::move(details);
  if (status.code != 0) object["code"] = status.code;
  return object;
}

Status ParseStatus(int http_status, std::string_view body) {
  if (const auto tree = ParseJson(body, {.max_bytes = kMaxStatusBytes})) {
    if (auto status = DecodeStatus(*tree)) {
      if (status->code == 0) status->code = http_status;
      return *std::move(status);
    }
  }
  const std::string excerpt = Excerpt(body);
  Status status;
  status.code = http_status;
  status.reason = ReasonFor(http_status);
  status.message = fmt::format("HTTP {}{}{}", http_status, excerpt.empty() ? "" : ": ", excerpt);
  return status;
}

}  // namespace millwright::kube
