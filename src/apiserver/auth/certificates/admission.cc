#include "apiserver/auth/certificates/admission.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/auth/certificates/request_object.h"
#include "apiserver/auth/certificates/signer_rules.h"
#include "apiserver/auth/certificates/update_rules.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Operation = Admittance::Operation;

bool Concerns(const Admittance& about) {
  return about.resource.kind.group == "certificates.k8s.io" &&
         about.resource.plural == "certificatesigningrequests" &&
         (about.operation == Operation::kCreate || about.operation == Operation::kUpdate);
}

// Whatever the client said about it.
void SetRequester(const User& user, json::value& object) {
  json::value& spec = object.get_object()["spec"];
  if (!spec.is_object()) spec = json::object();
  json::object& fields = spec.get_object();
  for (const char* name : {"username", "uid", "groups", "extra"}) fields.erase(name);
  fields["username"] = user.name;
  if (!user.uid.empty()) fields["uid"] = user.uid;
  if (!user.groups.empty()) fields["groups"] = json::value_from(user.groups);
  if (!user.extra.empty()) fields["extra"] = json::value_from(user.extra);
}

Result<void> CheckNew(const Admittance& about, const json::value& object) {
  const auto request = RequestIn(object);
  if (!request) {
    return InvalidObject(
        about.resource, about.name,
        {kube::InvalidError("spec.request", json::value(kube::GetString(object, "spec.request")),
                            request.error().message())});
  }
  const bool wants_masters =
      std::ranges::find(request->organizations, "system:masters") != request->organizations.end();
  if (wants_masters && kube::GetString(object, "spec.signerName") == kClientSigner) {
    return Forbidden(
        about.resource, about.name,
        fmt::format("use of {} signer with system:masters group is not allowed", kClientSigner));
  }
  return Ok();
}

bool StatusDiffers(const json::value& a, const json::value& b) {
  const json::array* before = kube::GetArray(a, "status.conditions");
  const json::array* after = kube::GetArray(b, "status.conditions");
  const json::array none;
  return (before == nullptr ? none : *before) != (after == nullptr ? none : *after) ||
         kube::GetString(a, "status.certificate") != kube::GetString(b, "status.certificate");
}

}  // namespace

Task<Result<void>> CertificateRequestStep::Mutate(const Admittance& about, json::value* object,
                                                  std::vector<std::string>& /*warnings*/) {
  if (!Concerns(about) || object == nullptr || !object->is_object()) co_return Ok();
  if (about.operation == Operation::kCreate) {
    SetRequester(about.user, *object);
  } else if (about.old != nullptr) {
    PrepareRequestUpdate(about.place.subresource, *about.old, clock_.Now(), *object);
  }
  co_return Ok();
}

Result<void> CertificateRequestStep::CheckMay(const Admittance& about, std::string_view verb) {
  const std::string signer(kube::GetString(*about.old, "spec.signerName"));
  const auto may = [&](const std::string& name) {
    return authorizer_
        .Authorize(about.user, {.verb = std::string(verb),
                                .group = "certificates.k8s.io",
                                .version = "*",
                                .resource = "signers",
                                .name = name})
        .allowed;
  };
  if (may(signer) || may(signer.substr(0, signer.find('/')) + "/*")) return Ok();
  return Forbidden(
      about.resource, about.name,
      fmt::format("user not permitted to {} requests with signerName \"{}\"", verb, signer));
}

Task<Result<void>> CertificateRequestStep::Validate(const Admittance& about,
                                                    const json::value* object,
                                                    std::vector<std::string>& /*warnings*/) {
  if (!Concerns(about) || object == nullptr) co_return Ok();
  if (about.operation == Operation::kCreate) co_return CheckNew(about, *object);
  if (about.old == nullptr) co_return Ok();
  const std::string& subresource = about.place.subresource;
  const auto errors = CheckRequestUpdate(subresource, *about.old, *object);
  if (!errors.empty()) co_return InvalidObject(about.resource, about.name, errors);
  if (subresource == "approval") co_return CheckMay(about, "approve");
  if (subresource == "status" && StatusDiffers(*about.old, *object)) {
    co_return CheckMay(about, "sign");
  }
  co_return Ok();
}

}  // namespace millwright::apiserver
