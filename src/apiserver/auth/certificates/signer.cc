#include "apiserver/auth/certificates/signer.h"

#include <boost/json.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/auth/certificates/request_object.h"
#include "apiserver/auth/certificates/signer_rules.h"
#include "apiserver/rest/change.h"
#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kGroup = "certificates.k8s.io";
constexpr std::string_view kPlural = "certificatesigningrequests";
constexpr std::string_view kScope = "/certificates.k8s.io/certificatesigningrequests/";

// After a write that failed: the disk may be full for a while.
constexpr Duration kAgain = std::chrono::seconds(5);

}  // namespace

bool CertificateSigner::MayCreate(const User& user, std::string_view subresource) {
  return authorizer_
      .Authorize(user, {.verb = "create",
                        .group = std::string(kGroup),
                        .version = "*",
                        .resource = std::string(kPlural),
                        .subresource = std::string(subresource)})
      .allowed;
}

Result<std::string> CertificateSigner::Sign(const json::value& object) {
  TRY(const auto certificate, Certificate::Parse(pki_.ca.certificate));
  TRY(const auto key, PrivateKey::Parse(pki_.ca.key.Reveal()));
  TRY(const auto request, RequestIn(object));
  const Validity validity =
      ValidityOf(services_.clock.Now(), kube::GetInt(object, "spec.expirationSeconds"));
  const CertificatePlan plan{.common_name = {},
                             .usages = ReadTexts(kube::Find(object, "spec.usages")),
                             .begins = validity.begins,
                             .ends = validity.ends};
  return SignRequest(request, plan, {.certificate = certificate, .key = key}, services_.random)
      .Pem();
}

Result<json::value> CertificateSigner::Advance(const json::value& object) {
  const RequestStep step =
      PlanRequest(object, [this](const User& user, std::string_view subresource) {
        return MayCreate(user, subresource);
      });
  json::value next = object;
  const WallTime now = services_.clock.Now();
  switch (step.action) {
    case RequestStep::Action::kNothing: break;
    case RequestStep::Action::kApprove:
      AddCondition(next, "Approved", "AutoApproved", step.message, now);
      break;
    case RequestStep::Action::kFail:
      AddCondition(next, "Failed", "SignerValidationFailure", step.message, now);
      break;
    case RequestStep::Action::kSign: {
      TRY(const std::string certificate, Sign(object));
      StatusIn(next)["certificate"] = EncodeBase64(certificate);
      break;
    }
  }
  return next;
}

Task<Result<void>> CertificateSigner::Handle(const Record& record) {
  auto stored = kube::ParseJson(record.value);
  if (!stored) co_return Ok();
  // Most changes call for nothing; then nothing is read or written again.
  const RequestStep step = PlanRequest(
      *stored, [this](const User& user, std::string_view part) { return MayCreate(user, part); });
  if (step.action == RequestStep::Action::kNothing) co_return Ok();
  const bool approves = step.action == RequestStep::Action::kApprove;
  const Call call{.resource = services_.registry.Find(kGroup, "v1", kPlural),
                  .place = {.group = std::string(kGroup),
                            .version = "v1",
                            .resource = std::string(kPlural),
                            .name = std::string(kube::GetString(*stored, "metadata.name")),
                            .subresource = approves ? "approval" : "status"},
                  .target = {},
                  .method = "PUT",
                  .content_type = {},
                  .user_agent = "millwright",
                  .body = {},
                  .output = {},
                  .user = {.name = "system:apiserver", .groups = {"system:masters"}}};
  const auto changed = co_await ChangeObject(
      services_, call, Part::kStatus, {},
      [this](const json::value& old, std::vector<std::string>&) -> Result<NewState> {
        TRY(json::value next, Advance(old));
        return NewState{.object = std::move(next)};
      });
  const bool done = changed || changed.error().kind() == ErrorKind::kNotFound;
  if (!done) co_return Failure(changed.error());
  co_return Ok();
}

Task<void> CertificateSigner::Follow() {
  const auto page = services_.store.List({.scope = std::string(kScope)});
  if (!page) co_return;
  auto watcher = services_.store.Watch(std::string(kScope), page->revision);
  if (!watcher) co_return;
  for (const RecordPtr& record : page->records) {
    if (!co_await Handle(*record)) co_return;
  }
  while (true) {
    const auto change = co_await watcher->Next();
    if (!change) co_return;
    if (change->kind() == ChangeKind::kDelete) continue;
    if (!co_await Handle(*change->record)) co_return;
  }
}

Task<void> CertificateSigner::Run() {
  while (true) {
    co_await Follow();
    if (co_await SleepFor(services_.clock, kAgain) == Wake::kCancelled) co_return;
  }
}

}  // namespace millwright::apiserver
