// What a mutating webhook wants changed, changed.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/webhooks/refusals.h"
#include "apiserver/webhooks/webhook_step.h"
#include "kube/api/json_patch.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

Result<json::value> Patched(const json::value& object, const json::value& patch) {
  auto patched = kube::ApplyJsonPatch(object, patch, {.lenient = true});
  if (!patched) return Fail(ErrorKind::kInternal, patched.error().message());
  if (!patched->is_object()) return Fail(ErrorKind::kInternal, "the patch leaves no object");
  return patched;
}

}  // namespace

Task<Result<bool>> WebhookStep::MutateBy(const Webhook& webhook, const View& view,
                                         const Admittance& about, json::value* object,
                                         std::vector<std::string>& warnings) {
  if (about.dry_run && !webhook.allows_dry_run) co_return NoDryRun(webhook.name);
  if (asker_.IsLate(about)) co_return OutOfTime();
  auto answer = co_await asker_.Ask(webhook, about, view, object, true);
  CO_TRY(const auto verdict, Judge(webhook, std::move(answer), about, warnings));
  if (!verdict || !verdict->patch) co_return false;
  if (object == nullptr) {
    co_return Fail(ErrorKind::kInternal,
                   fmt::format("admission webhook \"{}\" attempted to modify the object, which is "
                               "not supported for this operation",
                               webhook.name));
  }
  CO_TRY(json::value changed, Patched(view.object ? *view.object : *object, *verdict->patch));
  if (view.object) {
    CO_TRY(changed, co_await WebhookAsker::InVersion(about.resource, std::move(changed),
                                                     about.kind().ApiVersion()));
  }
  if (about.refit) CO_CHECK(about.refit(changed));
  if (changed == *object) co_return false;
  *object = std::move(changed);
  co_return true;
}

}  // namespace millwright::apiserver
