#include "apiserver/rest/body.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kBodyTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";

constexpr kube::JsonLimits kLimits = {
    .max_bytes = kMaxObjectBytes, .max_depth = 1000, .refuse_duplicate_keys = false};

Result<json::value> DecodeJson(std::string_view text, StrictFindings& findings) {
  auto value = kube::ParseJson(text, kLimits);
  if (!value) {
    return BadRequest("error decoding the body: " + value.error().message());
  }
  kube::JsonLimits strict = kLimits;
  strict.refuse_duplicate_keys = true;
  const auto again = kube::ParseJson(text, strict);
  if (!again) {
    const std::string& why = again.error().message();
    findings.push_back(why.substr(std::min(why.find("duplicate field"), why.size())));
  }
  return value;
}

}  // namespace

Result<json::value> DecodeText(std::string_view text, bool yaml, StrictFindings& findings) {
  if (!yaml) return DecodeJson(text, findings);
  auto value = kube::ParseYaml(text, "body");
  if (!value) return BadRequest("error decoding YAML: " + value.error().message());
  return *std::move(value);
}

Result<json::value> DecodeObject(const Services& services, const Call& call,
                                 StrictFindings& findings) {
  const std::string type = MediaTypeOf(call.content_type);
  json::value value;
  if (type == "application/vnd.kubernetes.protobuf") {
    if (call.resource->custom) return UnsupportedMediaType("application/json, application/yaml");
    auto decoded = services.decode_protobuf(call.body);
    if (!decoded) return BadRequest(decoded.error().message());
    value = *std::move(decoded);
  } else if (type.empty() || type == "application/json" || type == "application/yaml") {
    TRY(value, DecodeText(call.body, type == "application/yaml", findings));
  } else {
    return UnsupportedMediaType(kBodyTypes);
  }
  // Go reads null as an object with nothing in it.
  if (value.is_null() && !call.resource->custom) value = json::object();
  if (!value.is_object()) {
    return BadRequest(
        fmt::format("the body is not an object of kind {}", call.resource->kind.kind));
  }
  return value;
}

Result<json::value> DecodeOptionalBody(const Services& services, const Call& call) {
  if (call.body.empty()) return json::value();
  StrictFindings findings;
  const std::string type = MediaTypeOf(call.content_type);
  if (type == "application/vnd.kubernetes.protobuf") {
    auto decoded = services.decode_protobuf(call.body);
    if (!decoded) return BadRequest(decoded.error().message());
    return decoded;
  }
  return DecodeText(call.body, type == "application/yaml", findings);
}

Result<void> JudgeFindings(const StrictFindings& findings, FieldValidation validation,
                           std::vector<std::string>& warnings) {
  if (findings.empty() || validation == FieldValidation::kIgnore) return Ok();
  if (validation == FieldValidation::kWarn) {
    warnings.insert(warnings.end(), findings.begin(), findings.end());
    return Ok();
  }
  std::string joined;
  for (const std::string& finding : findings) joined += (joined.empty() ? "" : ", ") + finding;
  return BadRequest("strict decoding error: " + joined);
}

}  // namespace millwright::apiserver
