#include "apiserver/auth/certificates/update_rules.h"

#include <fmt/format.h>

#include <set>

#include <boost/json.hpp>

#include "apiserver/auth/certificates/request_object.h"
#include "base/base64.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Errors = std::vector<kube::FieldError>;

constexpr const char* kConditions = "status.conditions";
constexpr const char* kDecisions[] = {"Approved", "Denied"};
constexpr const char* kFinal[] = {"Approved", "Denied", "Failed"};

std::string_view CertificateOf(const json::value& object) {
  return kube::GetString(object, "status.certificate");
}

// Empty if there are none.
json::array* ConditionsIn(json::value& object) {
  json::value* conditions = StatusIn(object).if_contains("conditions");
  return conditions == nullptr ? nullptr : conditions->if_array();
}

void SetTimes(const json::value& old, WallTime now, json::value& object) {
  json::array* conditions = ConditionsIn(object);
  if (conditions == nullptr) return;
  for (json::value& condition : *conditions) {
    if (!condition.is_object()) continue;
    json::object& fields = condition.get_object();
    const auto unset = [&](const char* name) { return kube::GetString(condition, name).empty(); };
    if (unset("lastUpdateTime")) fields["lastUpdateTime"] = FormatTime(now);
    if (!unset("lastTransitionTime")) continue;
    fields["lastTransitionTime"] = FormatTime(now);
    for (const json::value& before : ConditionsOf(old, kube::GetString(condition, "type"))) {
      const bool same = kube::GetString(before, "status") == kube::GetString(condition, "status");
      const std::string_view since = kube::GetString(before, "lastTransitionTime");
      if (same && !since.empty()) fields["lastTransitionTime"] = since;
    }
  }
}

// A decision that is still there stays as it was, whatever was sent.
void KeepDecisions(const json::value& old, json::value& object) {
  json::array* conditions = ConditionsIn(object);
  if (conditions == nullptr) return;
  for (const char* type : kDecisions) {
    const auto before = ConditionsOf(old, type);
    if (before.size() != ConditionsOf(object, type).size()) continue;
    auto next = before.begin();
    for (json::value& condition : *conditions) {
      if (kube::GetString(condition, "type") == type) condition = *next++;
    }
  }
}

void CheckConditions(const json::value& object, Errors& errors) {
  const json::array* conditions = kube::GetArray(object, kConditions);
  if (conditions == nullptr) return;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < conditions->size(); ++i) {
    const json::value& condition = (*conditions)[i];
    const std::string path = kube::PathIndex(kConditions, i);
    const std::string type(kube::GetString(condition, "type"));
    const std::string status(kube::GetString(condition, "status"));
    if (type.empty()) errors.push_back(kube::RequiredError(path + ".type", ""));
    const bool is_final = type == "Approved" || type == "Denied" || type == "Failed";
    if (status.empty()) {
      errors.push_back(kube::RequiredError(path + ".status", ""));
    } else if (is_final && status != "True") {
      errors.push_back(kube::NotSupportedError(path + ".status", json::value(status), {"True"}));
    } else if (status != "True" && status != "False" && status != "Unknown") {
      errors.push_back(kube::NotSupportedError(path + ".status", json::value(status),
                                               {"False", "True", "Unknown"}));
    }
    if (!seen.insert(type).second) {
      errors.push_back(kube::DuplicateError(path + ".type", json::value(type)));
    }
  }
}

void CheckDecisions(bool may_decide, const json::value& old, const json::value& object,
                    Errors& errors) {
  const bool was_both = HasCondition(old, "Approved") && HasCondition(old, "Denied");
  if (!was_both && HasCondition(object, "Approved") && HasCondition(object, "Denied")) {
    errors.push_back(kube::InvalidError(kConditions, json::value("Denied"),
                                        "Approved and Denied conditions are mutually exclusive"));
  }
  for (const char* type : kFinal) {
    if (ConditionsOf(object, type).size() < ConditionsOf(old, type).size()) {
      errors.push_back(kube::ForbiddenError(
          kConditions, fmt::format("updates may not remove a condition of type \"{}\"", type)));
    }
  }
  if (may_decide) return;
  for (const char* type : kDecisions) {
    const auto before = ConditionsOf(old, type);
    const auto after = ConditionsOf(object, type);
    if (after.size() > before.size()) {
      errors.push_back(kube::ForbiddenError(
          kConditions, fmt::format("updates may not add a condition of type \"{}\"", type)));
    } else if (after.size() == before.size() && after != before) {
      errors.push_back(kube::ForbiddenError(
          kConditions, fmt::format("updates may not modify a condition of type \"{}\"", type)));
    }
  }
}

void CheckCertificate(bool may_sign, const json::value& old, const json::value& object,
                      Errors& errors) {
  const std::string_view certificate = CertificateOf(object);
  if (certificate == CertificateOf(old)) return;
  if (!may_sign) {
    errors.push_back(
        kube::ForbiddenError("status.certificate", "updates may not set certificate content"));
  } else if (!CertificateOf(old).empty()) {
    errors.push_back(kube::ForbiddenError("status.certificate",
                                          "updates may not modify existing certificate content"));
  }
  const auto pem = DecodeBase64(certificate);
  if (!certificate.empty() && (!pem || !Certificate::Parse(*pem))) {
    errors.push_back(kube::InvalidError("status.certificate", json::value("<certificate data>"),
                                        "must contain at least one CERTIFICATE PEM block"));
  }
}

}  // namespace

void PrepareRequestUpdate(std::string_view subresource, const json::value& old, WallTime now,
                          json::value& object) {
  if (subresource != "approval" && subresource != "status") return;
  if (subresource == "status") KeepDecisions(old, object);
  SetTimes(old, now, object);
  if (subresource == "status") return;
  const json::value* conditions = StatusIn(object).if_contains("conditions");
  json::object status =
      kube::GetObject(old, "status") ? *kube::GetObject(old, "status") : json::object();
  if (conditions == nullptr) {
    status.erase("conditions");
  } else {
    status["conditions"] = *conditions;
  }
  object.get_object()["status"] = std::move(status);
}

Errors CheckRequestUpdate(std::string_view subresource, const json::value& old,
                          const json::value& object) {
  Errors errors;
  CheckConditions(object, errors);
  CheckDecisions(subresource == "approval", old, object, errors);
  CheckCertificate(subresource == "status", old, object, errors);
  return errors;
}

}  // namespace millwright::apiserver
