// The end of a definition: its objects first.
#include <boost/json.hpp>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/crd_controller.h"
#include "apiserver/crd/definition.h"
#include "apiserver/crd/instances.h"
#include "apiserver/crd/resources_of.h"
#include "apiserver/rest/object_text.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr Duration kRetry = std::chrono::seconds(1);
// Then the definition says that somebody holds its objects back.
constexpr Duration kPatience = std::chrono::minutes(1);

std::string KeyOf(std::string_view name) { return std::string(kCrdScope).append(name); }

void RemoveFinalizer(json::value& crd) {
  json::object& metadata = crd.get_object()["metadata"].get_object();
  json::array kept;
  for (const std::string& finalizer : TextsAt(crd, "metadata.finalizers")) {
    if (finalizer != kCleanupFinalizer) kept.emplace_back(finalizer);
  }
  if (kept.empty()) {
    metadata.erase("finalizers");
  } else {
    metadata["finalizers"] = std::move(kept);
  }
}

bool IsOurs(const RecordPtr& record) {
  if (!record) return false;
  const json::value crd = json::parse(record->value);
  return IsEnding(crd) && HasFinalizer(crd, kCleanupFinalizer);
}

}  // namespace

void CrdController::StartRemoval(const std::string& name) {
  if (!removing_.insert(name).second) return;
  tasks_.Spawn([this, name] { return FinishRemoval(name); });
}

Task<void> CrdController::FinishRemoval(std::string name) {
  while (IsOurs(store_.Get(KeyOf(name)))) {
    const auto done = co_await TryFinishRemoval(name);
    if (co_await IsCancelled()) break;
    if (done) continue;
    if (done.error().kind() == ErrorKind::kConflict) continue;
    log_.Warning("a definition cannot be removed yet",
                 {{"crd", name}, {"error", done.error().message()}});
    if (co_await SleepFor(clock_, kRetry) == Wake::kCancelled) break;
  }
  removing_.erase(name);
}

Task<Result<void>> CrdController::ReportRemoval(const std::string& name, std::string_view reason,
                                                std::string_view message) {
  const RecordPtr record = store_.Get(KeyOf(name));
  if (!IsOurs(record)) co_return Ok();
  json::value crd = json::parse(record->value);
  const CrdCondition condition{.type = "Terminating",
                               .status = "True",
                               .reason = std::string(reason),
                               .message = std::string(message)};
  if (HasCondition(crd, condition)) co_return Ok();
  SetCondition(crd, condition, clock_.Now());
  co_return co_await Write(*record, std::move(crd));
}

Task<Result<void>> CrdController::TryFinishRemoval(const std::string& name) {
  CO_CHECK(co_await ReportRemoval(name, "InstanceDeletionInProgress",
                                  "CustomResource deletion is in progress"));
  RecordPtr record = store_.Get(KeyOf(name));
  if (!IsOurs(record)) co_return Ok();
  json::value crd = json::parse(record->value);
  CrdCondition condition{.type = "Terminating",
                         .status = "False",
                         .reason = "NeverEstablished",
                         .message = "resource was never established"};
  if (IsConditionTrue(crd, "Established")) {
    CO_TRY(const Resource resource, CommonResource(crd));
    CO_CHECK(co_await RemoveInstances(store_, resource, clock_));
    SteadyTime deadline = clock_.Elapsed() + kPatience;
    while (true) {
      const Wake why = co_await UntilNoInstances(store_, resource, clock_, deadline);
      if (why == Wake::kDone) break;
      if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "stopped");
      CO_CHECK(co_await ReportRemoval(name, "InstanceDeletionCheck",
                                      "could not confirm zero CustomResources remaining: context "
                                      "deadline exceeded"));
      deadline = kNever;
    }
    condition.reason = "InstanceDeletionCompleted";
    condition.message = "removed all instances";
    record = store_.Get(KeyOf(name));
    if (!IsOurs(record)) co_return Ok();
    crd = json::parse(record->value);
  }
  RemoveFinalizer(crd);
  if (!kube::GetArray(crd, "metadata.finalizers")) {
    CO_CHECK(co_await store_.Delete(record->key, record->mod_revision));
    co_return Ok();
  }
  SetCondition(crd, condition, clock_.Now());
  co_return co_await Write(*record, std::move(crd));
}

}  // namespace millwright::apiserver
