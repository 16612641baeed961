#include "apiserver/rest/admit.h"

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// As a kube-apiserver: what takes longer has failed.
constexpr Duration kLimit = std::chrono::seconds(34);

}  // namespace

Admitting::Admitting(const Services& services, const Call& call, Admittance::Operation operation,
                     bool dry_run, json::value options)
    : services_(services),
      call_(call),
      options_(std::move(options)),
      about_{.operation = operation,
             .resource = *call.resource,
             .place = call.place,
             .name = call.place.name,
             .user = call.user,
             .dry_run = dry_run,
             .options = &options_,
             .deadline = services.clock.Elapsed() + kLimit} {}

void Admitting::SetOld(const json::value& old, const EndpointForm* form) {
  about_.old = &old;
  form_ = form;
  if (form == nullptr) return;
  old_shown_ = form->show(old);
  about_.old = &old_shown_;
  about_.form = &form->kind;
}

void Admitting::SetRefit(std::function<Result<void>(json::value& object)> refit) {
  about_.refit = std::move(refit);
}

Task<Result<void>> Admitting::Mutate(json::value* object, std::vector<std::string>& warnings) {
  if (form_ == nullptr || object == nullptr) {
    co_return Told(co_await services_.admission.Mutate(about_, object, warnings), warnings);
  }
  const json::value before = form_->show(*object);
  json::value shown = before;
  const auto refit = std::exchange(about_.refit, {});
  CO_CHECK(Told(co_await services_.admission.Mutate(about_, &shown, warnings), warnings));
  if (shown == before) co_return Ok();
  form_->take(shown, *object);
  if (refit) CO_CHECK(refit(*object));
  co_return Ok();
}

Task<Result<void>> Admitting::Validate(const json::value* object,
                                       std::vector<std::string>& warnings) {
  if (form_ == nullptr || object == nullptr) {
    co_return Told(co_await services_.admission.Validate(about_, object, warnings), warnings);
  }
  const json::value shown = form_->show(*object);
  co_return Told(co_await services_.admission.Validate(about_, &shown, warnings), warnings);
}

Result<void> Admitting::Told(Result<void> answer, const std::vector<std::string>& warnings) const {
  if (!answer) KeepWarnings(warnings);
  return answer;
}

void Admitting::KeepWarnings(const std::vector<std::string>& warnings) const {
  if (call_.refusal_warnings != nullptr) *call_.refusal_warnings = warnings;
}

json::value OptionsObject(std::string_view kind, const net::Target& target,
                          const WriteOptions& options) {
  json::object object{{"kind", kind}, {"apiVersion", "meta.k8s.io/v1"}};
  if (options.dry_run) object["dryRun"] = json::array{"All"};
  if (!options.field_manager.empty()) object["fieldManager"] = options.field_manager;
  if (const auto validation = target.Find("fieldValidation"); validation && !validation->empty()) {
    object["fieldValidation"] = *validation;
  }
  return object;
}

}  // namespace millwright::apiserver
