#include "admission/capi_webhooks.h"

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "admission/admission_review.h"
#include "admission/conversion_review.h"
#include "base/base64.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"

namespace millwright::admission {

namespace json = boost::json;
namespace capi = dialects::capi;

namespace {

struct HookedKind {
  std::string_view kind;
  std::string_view singular;
  std::string_view plural;
  bool defaulted = true;
};

constexpr HookedKind kKinds[] = {
    {capi::kClusterKind, "cluster", "clusters", false},
    {capi::kMachineKind, "machine", "machines"},
    {capi::kSetKind, "machineset", "machinesets"},
    {capi::kDeploymentKind, "machinedeployment", "machinedeployments"},
    {capi::kHealthCheckKind, "machinehealthcheck", "machinehealthchecks"},
    {capi::kDrainRuleKind, "machinedrainrule", "machinedrainrules", false},
};

constexpr int kBadRequest = 400;
constexpr int kUnprocessable = 422;

std::string PathOf(std::string_view verb, const HookedKind& kind) {
  return fmt::format("/{}-cluster-x-k8s-io-v1beta2-{}", verb, kind.singular);
}

std::string NameOf(const AdmissionQuestion& question) {
  return std::string(kube::GetString(json::value(*question.object), "metadata.name"));
}

kube::Status BadRequest(std::string message) {
  return {
      .message = std::move(message), .reason = "BadRequest", .details = {}, .code = kBadRequest};
}

kube::Status Invalid(const AdmissionQuestion& question, std::vector<kube::FieldError> errors) {
  kube::Status status{.message = "", .reason = "Invalid", .details = {}, .code = kUnprocessable};
  status.details.name = NameOf(question);
  status.details.group = question.kind.group;
  status.details.kind = question.kind.kind;
  for (const kube::FieldError& error : errors) {
    status.details.causes.push_back({.reason = std::string(kube::Reason(error.type)),
                                     .message = kube::Message(error),
                                     .field = error.field});
  }
  status.message =
      fmt::format("{}.{} \"{}\" is invalid: {}", question.kind.kind, question.kind.group,
                  status.details.name, kube::InvalidFields(std::move(errors)).message());
  return status;
}

// Deletions are nobody's business here; what is not of the kind came the wrong way.
std::optional<AdmissionAnswer> AnswerAtOnce(const AdmissionQuestion& question,
                                            std::string_view kind) {
  if (!question.object || question.operation == "DELETE") return AdmissionAnswer{};
  const bool ours = question.kind.group == capi::kGroup &&
                    question.kind.version == capi::kVersion && question.kind.kind == kind;
  if (ours) return std::nullopt;
  return AdmissionAnswer{BadRequest(fmt::format("this webhook is for {} of {}, not for {}", kind,
                                                capi::kApiVersion, question.kind.ToString())),
                         {}};
}

const json::object* OldOf(const AdmissionQuestion& question) {
  return question.old ? &*question.old : nullptr;
}

AdmissionAnswer Defaulted(const AdmissionQuestion& question, std::string_view kind) {
  if (auto answer = AnswerAtOnce(question, kind)) return *std::move(answer);
  auto changed = capi::Default(kind, *question.object, OldOf(question));
  if (!changed) return {BadRequest(changed.error().message()), {}};
  return {std::nullopt, *std::move(changed)};
}

AdmissionAnswer Validated(const AdmissionQuestion& question, std::string_view kind,
                          const capi::AdmissionGates& gates) {
  if (auto answer = AnswerAtOnce(question, kind)) return *std::move(answer);
  auto errors = capi::Validate(kind, *question.object, OldOf(question), gates);
  if (errors.empty()) return {};
  return {Invalid(question, std::move(errors)), {}};
}

Result<json::object> Converted(json::object object, std::string_view api_version,
                               const capi::VersionOf& version_of) {
  if (api_version == capi::kOldApiVersion) return capi::ToOld(std::move(object), version_of);
  if (api_version == capi::kApiVersion) return capi::ToNew(std::move(object));
  return Fail(ErrorKind::kInvalid, fmt::format("there is no version \"{}\"", api_version));
}

json::object ClientConfig(const WebhookPlace& place, std::string_view path) {
  json::object config;
  if (place.url) {
    config["url"] = *place.url + std::string(path);
  } else {
    config["service"] = json::object{
        {"namespace", place.service_namespace}, {"name", place.service}, {"path", path}};
  }
  if (!place.ca.empty()) config["caBundle"] = EncodeBase64(place.ca);
  return config;
}

json::object WebhookOf(const WebhookPlace& place, std::string_view prefix, std::string_view verb,
                       const HookedKind& kind) {
  return {{"name", fmt::format("{}.{}.{}", prefix, kind.singular, capi::kGroup)},
          {"admissionReviewVersions", json::array{"v1"}},
          {"clientConfig", ClientConfig(place, PathOf(verb, kind))},
          {"failurePolicy", "Fail"},
          {"matchPolicy", "Equivalent"},
          {"sideEffects", "None"},
          {"rules", json::array{json::object{{"apiGroups", json::array{capi::kGroup}},
                                             {"apiVersions", json::array{capi::kVersion}},
                                             {"operations", json::array{"CREATE", "UPDATE"}},
                                             {"resources", json::array{kind.plural}}}}}};
}

json::object ConfigurationOf(std::string_view kind, std::string_view name, json::array webhooks) {
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", kind},
          {"metadata", json::object{{"name", name}}},
          {"webhooks", std::move(webhooks)}};
}

}  // namespace

Routes CapiRoutes(const capi::AdmissionGates& gates, capi::VersionOf version_of) {
  Routes routes;
  for (const HookedKind& hooked : kKinds) {
    const std::string_view kind = hooked.kind;
    // Also for kinds without defaults: upstream's configurations, which stay when we take over,
    // ask.
    routes[PathOf("mutate", hooked)] = [kind](std::string_view body) -> Result<std::string> {
      TRY(const AdmissionQuestion question, ReadAdmissionReview(body));
      return WriteAdmissionReview(question, Defaulted(question, kind));
    };
    routes[PathOf("validate", hooked)] = [kind,
                                          gates](std::string_view body) -> Result<std::string> {
      TRY(const AdmissionQuestion question, ReadAdmissionReview(body));
      return WriteAdmissionReview(question, Validated(question, kind, gates));
    };
  }
  routes["/convert"] = [version_of =
                            std::move(version_of)](std::string_view body) -> Result<std::string> {
    TRY(ConversionQuestion question, ReadConversionReview(body));
    return AnswerConversion(std::move(question),
                            [&](json::object object, std::string_view api_version) {
                              return Converted(std::move(object), api_version, version_of);
                            });
  };
  return routes;
}

std::vector<json::object> CapiWebhookConfigurations(const WebhookPlace& place) {
  json::array mutating;
  json::array validating;
  for (const HookedKind& kind : kKinds) {
    if (kind.defaulted) mutating.push_back(WebhookOf(place, "default", "mutate", kind));
    validating.push_back(WebhookOf(place, "validation", "validate", kind));
  }
  return {ConfigurationOf("MutatingWebhookConfiguration", "capi-mutating-webhook-configuration",
                          std::move(mutating)),
          ConfigurationOf("ValidatingWebhookConfiguration", "capi-validating-webhook-configuration",
                          std::move(validating))};
}

json::object WithConversion(json::object definition, const WebhookPlace& place) {
  definition["spec"].as_object()["conversion"] =
      json::object{{"strategy", "Webhook"},
                   {"webhook", json::object{{"conversionReviewVersions", json::array{"v1"}},
                                            {"clientConfig", ClientConfig(place, "/convert")}}}};
  return definition;
}

}  // namespace millwright::admission
