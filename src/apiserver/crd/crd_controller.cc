#include "apiserver/crd/crd_controller.h"

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/crd/accepted_names.h"
#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "apiserver/crd/resources_of.h"
#include "apiserver/crd/rules_condition.h"
#include "apiserver/crd/validate.h"
#include "apiserver/rest/object_text.h"
#include "kube/api/apply.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// After a failure that will pass without a change of the definition, such as a full disk.
constexpr Duration kRetry = std::chrono::seconds(1);

std::string KeyOf(std::string_view name) { return std::string(kCrdScope).append(name); }

std::string NameOf(std::string_view key) { return std::string(key.substr(kCrdScope.size())); }

bool IsAccepted(const json::value& crd) {
  return IsConditionTrue(crd, "NamesAccepted") || IsConditionTrue(crd, "Established");
}

// Everything that resources are made of.
std::string FingerprintOf(const json::value& crd) {
  const json::value* names = kube::Find(crd, "status.acceptedNames");
  return json::serialize(
      json::array{kube::GetString(crd, "metadata.uid"), kube::GetInt(crd, "metadata.generation"),
                  names == nullptr ? json::value() : *names, IsConditionTrue(crd, "Terminating")});
}

bool IsPassing(const Error& error) {
  return error.kind() != ErrorKind::kConflict && error.kind() != ErrorKind::kNotFound &&
         error.kind() != ErrorKind::kCancelled;
}

}  // namespace

CrdController::CrdController(const Executor& executor, Store& store, Registry& registry,
                             Clock& clock, Logger log, WebhookCalls webhooks)
    : store_(store),
      registry_(registry),
      clock_(clock),
      log_(std::move(log)),
      webhooks_(std::move(webhooks)),
      tasks_(executor) {}

Result<void> CrdController::Load() {
  TRY(const Page page, store_.List({.scope = std::string(kCrdScope)}));
  for (const RecordPtr& record : page.records) {
    const json::value crd = json::parse(record->value);
    if (IsAccepted(crd)) Serve(*record, crd);
    // A crash may have come between two steps.
    queue_.push_back(NameOf(record->key));
  }
  seen_ = page.revision;
  return Ok();
}

Task<void> CrdController::Run() {
  co_await Follow();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> CrdController::Follow() {
  auto watcher = store_.Watch(std::string(kCrdScope), seen_);
  while (!co_await IsCancelled()) {
    while (!queue_.empty()) {
      const std::string name = queue_.front();
      queue_.pop_front();
      co_await Reconcile(name);
      if (co_await IsCancelled()) co_return;
    }
    if (!watcher) {
      // We slept through more than the history keeps.
      if (const auto loaded = Load(); !loaded) co_await SleepFor(clock_, kRetry);
      watcher = store_.Watch(std::string(kCrdScope), seen_);
      continue;
    }
    const auto change = co_await watcher->Next();
    if (change) {
      queue_.push_back(NameOf(change->key()));
    } else if (change.error().kind() == ErrorKind::kExpired) {
      watcher = Failure(change.error());
    }
  }
}

Task<void> CrdController::Reconcile(std::string name) {
  while (!co_await TryReconcile(name)) {
    if (co_await SleepFor(clock_, kRetry) == Wake::kCancelled) co_return;
  }
}

Task<bool> CrdController::TryReconcile(const std::string& name) {
  RecordPtr record = store_.Get(KeyOf(name));
  if (!record) {
    const auto served = served_.find(name);
    const std::string group = name.substr(std::min(name.find('.'), name.size() - 1) + 1);
    if (served != served_.end()) StopServing(name);
    ReconsiderGroup(group, name);
    co_return true;
  }
  Result<void> done = co_await SettleNames(*record, json::parse(record->value));
  if (done) {
    record = store_.Get(KeyOf(name));
    if (!record) co_return true;  // another event is on its way
    done = co_await Establish(*record, json::parse(record->value));
  }
  if (done || !IsPassing(done.error())) co_return true;
  log_.Warning("the status of a definition could not be written",
               {{"crd", name}, {"error", done.error().message()}});
  co_return false;
}

Task<Result<void>> CrdController::SettleNames(const Record& record, json::value crd) {
  const std::string name = NameOf(record.key);
  const std::string group(kube::GetString(crd, "spec.group"));
  TakenNames taken;
  CO_TRY(const Page page, store_.List({.scope = std::string(kCrdScope)}));
  for (const RecordPtr& other : page.records) {
    const json::value definition = json::parse(other->value);
    if (kube::GetString(definition, "spec.group") == group) taken.Add(definition);
  }
  auto outcome = DecideNames(crd, taken);
  if (outcome) {
    StatusOfCrd(crd)["acceptedNames"] = std::move(outcome->accepted);
    SetCondition(crd, outcome->names_accepted, clock_.Now());
    SetCondition(crd, outcome->established, clock_.Now());
  }
  // Before it is written: whoever made the definition may use it as soon as that is answered.
  if (IsAccepted(crd)) Serve(record, crd);
  if (!outcome) co_return Ok();
  CO_CHECK(co_await Write(record, std::move(crd)));
  // Perhaps a name became free.
  ReconsiderGroup(group, name);
  co_return Ok();
}

Task<Result<void>> CrdController::Establish(const Record& record, json::value crd) {
  const std::string name = NameOf(record.key);
  const json::value before = crd;
  if (IsConditionTrue(crd, "NamesAccepted") && !IsConditionTrue(crd, "Established")) {
    SetCondition(crd,
                 {.type = "Established",
                  .status = "True",
                  .reason = "InitialNamesAccepted",
                  .message = "the initial names have been accepted"},
                 clock_.Now());
  }
  const CrdCondition approval = ApprovalCondition(crd);
  if (!approval.type.empty() && !HasCondition(crd, approval)) {
    SetCondition(crd, approval, clock_.Now());
  }
  const CrdCondition rules = RulesCondition(crd);
  if (rules.type.empty()) {
    if (FindCondition(crd, kRulesNotRun) != nullptr) RemoveCondition(crd, kRulesNotRun);
  } else if (!HasCondition(crd, rules)) {
    SetCondition(crd, rules, clock_.Now());
  }
  if (crd != before) CO_CHECK(co_await Write(record, std::move(crd)));
  if (IsEnding(before) && HasFinalizer(before, kCleanupFinalizer)) StartRemoval(name);
  co_return Ok();
}

void CrdController::Serve(const Record& record, const json::value& crd) {
  const std::string name = NameOf(record.key);
  std::string fingerprint = FingerprintOf(crd);
  const auto known = served_.find(name);
  if (known != served_.end() && known->second.fingerprint == fingerprint) return;
  const auto resources =
      ResourcesOf(crd, {.converter = ConverterOf(crd, webhooks_), .since = record.mod_revision});
  if (!resources) {
    log_.Warning("a stored definition cannot be served",
                 {{"crd", name}, {"error", resources.error().message()}});
    return;
  }
  const std::string group(kube::GetString(crd, "spec.group"));
  const std::string plural(kube::GetString(crd, "status.acceptedNames.plural"));
  // What we bring along ourselves comes first.
  for (const auto& resource : registry_.Preferred()) {
    const bool same = resource->kind.group == group && resource->plural == plural;
    if (same && !resource->custom) return;
  }
  StopServing(name);
  for (const ResourcePtr& resource : *resources) registry_.Add(resource);
  served_[name] = {.group = group, .plural = plural, .fingerprint = std::move(fingerprint)};
}

void CrdController::StopServing(const std::string& name) {
  const auto served = served_.find(name);
  if (served == served_.end()) return;
  registry_.Remove(served->second.group, served->second.plural);
  served_.erase(served);
}

void CrdController::ReconsiderGroup(std::string_view group, const std::string& except) {
  const auto page = store_.List({.scope = std::string(kCrdScope)});
  if (!page) return;
  for (const RecordPtr& record : page->records) {
    const std::string name = NameOf(record->key);
    if (name == except || !name.ends_with("." + std::string(group))) continue;
    if (std::ranges::find(queue_, name) == queue_.end()) queue_.push_back(name);
  }
}

Task<Result<void>> CrdController::Write(const Record& record, json::value crd) {
  const ResourcePtr kind = registry_.Find(kCrdGroup, "v1", kCrdPlural);
  const kube::SchemaPtr schema = kind ? kind->schema() : nullptr;
  const json::value before = json::parse(record.value);
  // Without books the status is as good.
  (void)kube::UpdateManagedFields(kube::StatusRules(schema.get()), &before, crd,
                                  {.manager = "kube-apiserver",
                                   .api_version = std::string(kCrdGroup) + "/v1",
                                   .subresource = "status",
                                   .time = clock_.Now()});
  CO_CHECK(co_await store_.Update(record.key, record.mod_revision, VersionedText(std::move(crd))));
  co_return Ok();
}

}  // namespace millwright::apiserver
