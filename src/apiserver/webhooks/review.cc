#include "apiserver/webhooks/review.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Reviews that cannot be understood.
Failure Wrong(std::string message) {
  return Fail(ErrorKind::kInvalid, "received invalid webhook response: " + std::move(message));
}

json::object Shown(const kube::GroupVersionKind& kind) {
  return {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}};
}

json::object Shown(const kube::GroupVersionResource& resource) {
  return {
      {"group", resource.group}, {"version", resource.version}, {"resource", resource.resource}};
}

json::object Shown(const User& user) {
  json::object shown{{"username", user.name}};
  if (!user.uid.empty()) shown["uid"] = user.uid;
  if (!user.groups.empty()) shown["groups"] = json::value_from(user.groups);
  if (!user.extra.empty()) shown["extra"] = json::value_from(user.extra);
  return shown;
}

// "admission.k8s.io/v1, Kind=AdmissionReview", as Go writes a kind.
std::string KindText(const json::value& review) {
  const std::string_view version = kube::GetString(review, "apiVersion");
  return fmt::format("{}, Kind={}", version.empty() ? "/" : version,
                     kube::GetString(review, "kind"));
}

kube::Status StatusIn(const json::value& response) {
  const json::object* result = kube::GetObject(response, "status");
  if (result == nullptr) return {};
  json::object whole = *result;
  whole["kind"] = "Status";
  whole["apiVersion"] = "v1";
  return kube::DecodeStatus(json::value(std::move(whole))).value_or(kube::Status());
}

Result<std::optional<json::value>> PatchIn(std::string_view text, std::string_view type) {
  if (text.empty()) return std::nullopt;
  const auto undecodable = [](std::string_view why) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("received undecodable patch in webhook response: {}", why));
  };
  const auto bytes = DecodeBase64(text);
  if (!bytes) return undecodable("illegal base64 data");
  auto patch = kube::ParseJson(*bytes);
  if (!patch) return undecodable(patch.error().message());
  if (!patch->is_array()) return undecodable("not a list of operations");
  if (type != "JSONPatch") {
    return Fail(ErrorKind::kInvalid, fmt::format("unsupported patch type \"{}\"", type));
  }
  if (patch->get_array().empty()) return std::nullopt;
  return *std::move(patch);
}

// The rules of v1 about which of the two go together.
Result<void> CheckPatchFields(bool mutating, std::string_view patch, const json::value* type) {
  const bool has_type = type != nullptr && !type->is_null();
  if (!mutating) {
    if (!patch.empty()) return Wrong("validating webhook may not return response.patch");
    if (has_type) return Wrong("validating webhook may not return response.patchType");
    return Ok();
  }
  if (!patch.empty() && !has_type) {
    return Wrong("webhook returned response.patch but not response.patchType");
  }
  if (patch.empty() && has_type) {
    return Wrong("webhook returned response.patchType but not response.patch");
  }
  if (has_type && *type == json::value("")) {
    return Wrong("webhook returned invalid response.patchType of \"\"");
  }
  return Ok();
}

}  // namespace

std::string_view ToString(Admittance::Operation operation) {
  switch (operation) {
    case Admittance::Operation::kCreate: return "CREATE";
    case Admittance::Operation::kUpdate: return "UPDATE";
    case Admittance::Operation::kDelete: return "DELETE";
    case Admittance::Operation::kConnect: return "CONNECT";
  }
  return "";
}

json::object AdmissionRequestOf(const Admittance& about, const ReviewedAs& as,
                                std::string_view uid) {
  json::object request{{"uid", uid}, {"kind", Shown(as.kind)}, {"resource", Shown(as.resource)}};
  const std::string& endpoint = about.place.subresource;
  if (!endpoint.empty()) request["subResource"] = endpoint;
  request["requestKind"] = Shown(about.kind());
  request["requestResource"] = Shown(about.resource.Gvr());
  if (!endpoint.empty()) request["requestSubResource"] = endpoint;
  if (!about.name.empty()) request["name"] = about.name;
  const std::string namespace_ = about.Namespace();
  if (!namespace_.empty()) request["namespace"] = namespace_;
  request["operation"] = ToString(about.operation);
  request["userInfo"] = Shown(about.user);
  request["dryRun"] = about.dry_run;
  request["options"] = about.options == nullptr ? json::value() : *about.options;
  return request;
}

std::string WriteAdmissionReview(std::string_view version, json::object request,
                                 const json::value* object, const json::value* old) {
  request["object"] = object == nullptr ? json::value() : *object;
  request["oldObject"] = old == nullptr ? json::value() : *old;
  return json::serialize(json::object{{"kind", "AdmissionReview"},
                                      {"apiVersion", fmt::format("admission.k8s.io/{}", version)},
                                      {"request", std::move(request)}});
}

Result<Verdict> ReadAdmissionReview(std::string_view version, std::string_view uid, bool mutating,
                                    std::string_view body) {
  TRY(const json::value review, kube::ParseJson(body));
  const json::value* response = kube::Find(review, "response");
  if (response == nullptr || !response->is_object()) return Wrong("webhook response was absent");
  const std::string_view patch = kube::GetString(*response, "patch");
  const json::value* type = kube::Find(*response, "patchType");
  // The older version never cared.
  if (version == "v1") {
    const std::string_view answered = kube::GetString(*response, "uid");
    if (answered != uid) {
      return Wrong(fmt::format("expected response.uid=\"{}\", got \"{}\"", uid, answered));
    }
    constexpr std::string_view kWanted = "admission.k8s.io/v1, Kind=AdmissionReview";
    const std::string got = KindText(review);
    if (got != kWanted) {
      return Wrong(fmt::format("expected webhook response of {}, got {}", kWanted, got));
    }
    CHECK_OK(CheckPatchFields(mutating, patch, type));
  }
  Verdict verdict{.allowed = kube::GetBool(*response, "allowed"), .status = StatusIn(*response)};
  if (mutating && verdict.allowed) {
    const std::string_view kind =
        version == "v1" ? kube::GetString(*response, "patchType") : "JSONPatch";
    TRY(verdict.patch, PatchIn(patch, kind));
  }
  if (const json::array* warnings = kube::GetArray(*response, "warnings")) {
    for (const json::value& warning : *warnings) {
      if (warning.is_string()) verdict.warnings.emplace_back(warning.get_string());
    }
  }
  return verdict;
}

}  // namespace millwright::apiserver
