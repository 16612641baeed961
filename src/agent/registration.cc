#include "agent/registration.h"

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::agent {

namespace json = boost::json;
using kube::ForEachField;
using kube::JsonValue;

namespace {

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};
const kube::GroupVersionResource kLeases{"coordination.k8s.io", "v1", "leases"};

// A quarter of the Lease's duration, as kubelets do it.
constexpr Duration kRenewal = std::chrono::seconds(10);
constexpr Duration kRenewalAgain = std::chrono::seconds(1);
constexpr Duration kStatusPeriod = std::chrono::minutes(5);
// However often somebody else changes it.
constexpr Duration kStatusPause = std::chrono::seconds(10);

}  // namespace

Result<NodeView> DecodeNode(kube::JsonObject object) {
  NodeView node;
  const auto read_condition = [&](JsonValue item) -> Result<void> {
    std::string type;
    std::string status;
    CHECK_OK(ForEachField(item, [&](std::string_view key, JsonValue value) -> Result<void> {
      if (key == "type") return kube::ReadInto(value, type);
      if (key == "status") return kube::ReadInto(value, status);
      return Ok();
    }));
    node.conditions[type] = status;
    return Ok();
  };
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return kube::ReadInto(value, node.meta);
    if (key != "status") return Ok();
    return ForEachField(value, [&](std::string_view field, JsonValue content) -> Result<void> {
      return field == "conditions" ? kube::ForEachItem(content, read_condition) : Ok();
    });
  }));
  return node;
}

Registration::Registration(const Executor& executor, kube::Client& client, Clock& clock,
                           Random& random, Logger log, NodeFacts facts)
    : client_(client),
      clock_(clock),
      log_(log),
      facts_(std::move(facts)),
      key_{.namespace_ = "", .name = facts_.name},
      reported_(clock.Elapsed() - kStatusPeriod),
      changed_(executor),
      node_(executor, client, clock, random, log,
            {.resource = kNodes, .field_selector = "metadata.name=" + facts_.name}, DecodeNode),
      tasks_(executor) {
  node_.OnChange([this](const NodeView* before, const NodeView* after) { OnNode(before, after); });
}

Task<Result<void>> Registration::Register() {
  const auto created = co_await client_.Create(kNodes, key_, json::serialize(NodeObject(facts_)));
  if (created) {
    CO_TRY(const kube::Meta meta, created->ReadMeta());
    uid_ = meta.uid;
    seen_.clear();
  } else if (created.error().kind() == ErrorKind::kAlreadyExists) {
    CO_CHECK(co_await TakeOver());
  } else {
    co_return Failure(created.error());
  }
  // From now on what fails is tried again by itself: to begin anew could bring back a Node that
  // somebody has deleted meanwhile.
  co_return Ok();
}

Task<Result<void>> Registration::TakeOver() {
  CO_TRY(const kube::Document found, co_await client_.Get(kNodes, key_));
  CO_TRY(const kube::Meta meta, found.ReadMeta());
  CO_TRY(const json::value tree, found.Tree());
  const bool has_id = !kube::GetString(tree, "spec.providerID").empty();
  CO_CHECK(co_await client_.Patch(kNodes, key_, kube::PatchKind::kMerge,
                                  json::serialize(NodePatch(facts_, has_id))));
  uid_ = meta.uid;
  seen_.clear();
  if (const json::array* conditions = kube::GetArray(tree, "status.conditions")) {
    for (const json::value& condition : *conditions) {
      seen_[std::string(kube::GetString(condition, "type"))] = kube::GetString(condition, "status");
    }
  }
  co_return Ok();
}

Task<Result<void>> Registration::ReportStatus() {
  reported_ = clock_.Elapsed();
  CO_CHECK(co_await client_.Patch(kNodes, key_, kube::PatchKind::kStrategicMerge,
                                  json::serialize(StatusPatch(facts_, seen_, clock_.Now())),
                                  {.write = {.subresource = "status"}}));
  co_return Ok();
}

Task<Result<void>> Registration::RenewLease() {
  const kube::ObjectKey lease{.namespace_ = "kube-node-lease", .name = facts_.name};
  const auto renewed =
      co_await client_.Patch(kLeases, lease, kube::PatchKind::kMerge,
                             json::serialize(LeasePatch(facts_.name, clock_.Now())));
  if (renewed) co_return Ok();
  if (renewed.error().kind() != ErrorKind::kNotFound || gone_) co_return Failure(renewed.error());
  CO_CHECK(co_await client_.Create(
      kLeases, lease, json::serialize(LeaseObject(facts_.name, uid_.str(), clock_.Now()))));
  co_return Ok();
}

Task<void> Registration::KeepAlive() {
  tasks_.Spawn([this] { return node_.Run(); });
  tasks_.Spawn([this] { return KeepLease(); });
  tasks_.Spawn([this] { return KeepStatus(); });
  Wake why = co_await node_.WaitSynced();
  // It may have gone before we looked.
  if (why != Wake::kCancelled && node_.store().Find(key_) == nullptr) NoteGone();
  while (why != Wake::kCancelled && !gone_) why = co_await changed_.Wait();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> Registration::KeepLease() {
  bool told = false;
  while (true) {
    const auto renewed = co_await RenewLease();
    if (!renewed && renewed.error().kind() == ErrorKind::kCancelled) co_return;
    if (!renewed && !std::exchange(told, true)) {
      log_.Warning("cannot renew the lease", {{"error", renewed.error().message()}});
    } else if (renewed && std::exchange(told, false)) {
      log_.Info("lease renewed again");
    }
    const Wake why = co_await SleepFor(clock_, renewed ? kRenewal : kRenewalAgain);
    if (why == Wake::kCancelled) co_return;
  }
}

Task<void> Registration::KeepStatus() {
  bool failed = false;
  while (true) {
    const bool well = LooksReady() && !failed;
    const SteadyTime due = reported_ + (well ? kStatusPeriod : kStatusPause);
    if (clock_.Elapsed() < due) {
      if (co_await changed_.WaitUntil(clock_, due) == Wake::kCancelled) co_return;
      continue;  // it may be due at another time now
    }
    const auto reported = co_await ReportStatus();
    failed = !reported;
    if (reported) continue;
    if (reported.error().kind() == ErrorKind::kCancelled) co_return;
    if (reported.error().kind() == ErrorKind::kNotFound) NoteGone();
    log_.Warning("cannot report the status", {{"error", reported.error().message()}});
  }
}

bool Registration::LooksReady() const {
  const auto ready = seen_.find("Ready");
  return ready != seen_.end() && ready->second == "True";
}

void Registration::OnNode(const NodeView* before, const NodeView* after) {
  if (after != nullptr && after->meta.uid == uid_) {
    seen_ = after->conditions;
    changed_.NotifyAll();
  } else if (before != nullptr && before->meta.uid == uid_) {
    NoteGone();
  }
}

void Registration::NoteGone() {
  if (std::exchange(gone_, true)) return;
  log_.Warning("the node was deleted: it is not registered again");
  changed_.NotifyAll();
}

}  // namespace millwright::agent
