#include "apiserver/webhooks/webhook_step.h"

#include <algorithm>

#include "apiserver/webhooks/match.h"
#include "apiserver/webhooks/refusals.h"

namespace millwright::apiserver {

namespace {

constexpr const char* kMutating = "/admissionregistration.k8s.io/mutatingwebhookconfigurations/";
constexpr const char* kValidating =
    "/admissionregistration.k8s.io/validatingwebhookconfigurations/";

void AddWarnings(const std::vector<std::string>& more, std::vector<std::string>& warnings) {
  for (const std::string& warning : more) {
    const bool known = std::ranges::find(warnings, warning) != warnings.end();
    if (!warning.empty() && !known) warnings.push_back(warning);
  }
}

}  // namespace

WebhookStep::WebhookStep(const Executor& executor, WebhookAsker::Parts parts, Logger log)
    : executor_(executor),
      mutating_(parts.store, kMutating),
      validating_(parts.store, kValidating),
      asker_(std::move(parts)),
      log_(std::move(log)) {}

Result<std::optional<Verdict>> WebhookStep::Judge(const Webhook& webhook, Result<Verdict> answer,
                                                  const Admittance& about,
                                                  std::vector<std::string>& warnings) const {
  if (!answer) {
    if (answer.error().kind() == ErrorKind::kCancelled) return Failure(answer.error());
    if (!webhook.fail_open) return NotAsked(webhook.name, answer.error());
    log_.Warning("a webhook could not be asked and is passed over",
                 {{"webhook", webhook.name}, {"error", answer.error().message()}});
    if (asker_.IsLate(about)) return OutOfTime();
    return std::nullopt;
  }
  AddWarnings(answer->warnings, warnings);
  if (!answer->allowed) return Denied(webhook.name, std::move(answer->status));
  return *std::move(answer);
}

Task<Result<void>> WebhookStep::Mutate(const Admittance& about, boost::json::value* object,
                                       std::vector<std::string>& warnings) {
  const auto webhooks = mutating_.Now();
  if (webhooks->empty() || IsExempt(about.kind())) co_return Ok();
  std::vector<std::string> asked;  // of those that want to be asked again
  std::vector<std::string> again;
  for (const bool second : {false, true}) {
    bool changed = false;
    for (const Webhook& webhook : *webhooks) {
      CO_TRY(const auto view, co_await asker_.ViewOf(webhook, about, object));
      if (!view) continue;
      if (second && std::ranges::find(again, webhook.id) == again.end()) continue;
      CO_TRY(const bool by_this, co_await MutateBy(webhook, *view, about, object, warnings));
      if (by_this) {
        changed = true;
        again.insert(again.end(), asked.begin(), asked.end());
        asked.clear();
      }
      if (webhook.reinvoke) asked.push_back(webhook.id);
    }
    if (!changed) break;
  }
  co_return Ok();
}

Task<Result<void>> WebhookStep::Validate(const Admittance& about, const boost::json::value* object,
                                         std::vector<std::string>& warnings) {
  const auto webhooks = validating_.Now();
  if (webhooks->empty() || IsExempt(about.kind())) co_return Ok();
  std::vector<Question> questions;
  for (const Webhook& webhook : *webhooks) {
    CO_TRY(auto view, co_await asker_.ViewOf(webhook, about, object));
    if (!view) continue;
    if (about.dry_run && !webhook.allows_dry_run) co_return NoDryRun(webhook.name);
    questions.push_back({.webhook = &webhook, .view = *std::move(view)});
  }
  if (questions.empty()) co_return Ok();
  if (asker_.IsLate(about)) co_return OutOfTime();
  co_await AskAll(questions, about, object);
  Result<void> outcome = Ok();
  for (Question& question : questions) {
    auto judged = Judge(*question.webhook, *std::move(question.answer), about, warnings);
    if (!judged && outcome) outcome = Failure(judged.error());
  }
  co_return outcome;
}

}  // namespace millwright::apiserver
