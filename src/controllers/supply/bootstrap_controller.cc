#include "controllers/supply/bootstrap_controller.h"

#include <boost/json.hpp>

#include <algorithm>

#include "controllers/machine/bootstrap_tokens.h"
#include "controllers/machine/user_data.h"
#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::controllers::supply {

namespace json = boost::json;
using kube::ObjectKey;
using kube::Requeue;

namespace {

// A machine that has not joined by then will be replaced long before.
constexpr Duration kTokenLasts = std::chrono::hours(2);
// One that was made late, by somebody who was held up.
constexpr Duration kTokenEndsLatest = kTokenLasts + std::chrono::hours(1);
constexpr std::string_view kTokenWord = "BOOTSTRAP_TOKEN";

bool IsOurs(const capi::Reference& reference) {
  return reference.kind == kBootstrapKind && reference.group == kBootstrapGroup;
}

json::object OwnerReferenceTo(const BootstrapRecord& bootstrap) {
  return {{"apiVersion", kBootstraps.group + "/" + kBootstraps.version},
          {"kind", kBootstrapKind},
          {"name", bootstrap.meta.key.name},
          {"uid", bootstrap.meta.uid.str()},
          {"controller", true}};
}

}  // namespace

BootstrapController::BootstrapController(contract::Surroundings& s, Seen& seen,
                                         contract::RemoteClusters& remotes)
    : surroundings_(s),
      seen_(seen),
      remotes_(remotes),
      bootstraps_(s.management, kBootstraps, seen.bootstraps.guard()),
      controller_(s.executor, s.clock, s.log.For("supply.bootstrap"),
                  {.name = "millwrightbootstrap", .workers = s.settings.machine_workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  seen_.bootstraps.OnChange([this](const BootstrapRecord* before, const BootstrapRecord* after) {
    controller_.queue().Add((after != nullptr ? after : before)->meta.key);
  });
  const auto wake = [this](const capi::MachineRecord& machine) {
    const capi::Reference& names = machine.spec.bootstrap;
    if (IsOurs(names)) controller_.queue().Add({machine.meta.key.namespace_, names.name});
  };
  seen_.served.machines.OnChange(
      [wake](const capi::MachineRecord* before, const capi::MachineRecord* after) {
        if (after == nullptr) return;
        const bool joined = before != nullptr && before->status.node != after->status.node;
        if (before == nullptr || joined) wake(*after);
      });
  const auto wake_cluster = [this, wake](const ObjectKey& cluster) {
    const std::string key = contract::ClusterKey(cluster);
    for (const auto* machine : seen_.served.machines_by_cluster.Find(key)) wake(*machine);
  };
  seen_.served.clusters.OnChange([wake_cluster](const capi::ClusterRecord* before,
                                                const capi::ClusterRecord* after) {
    const bool same = before != nullptr && after != nullptr && before->paused == after->paused &&
                      before->deleting() == after->deleting();
    if (!same) wake_cluster((after != nullptr ? after : before)->meta.key);
  });
  remotes_.OnConnection(wake_cluster);
}

BootstrapController::Surrounded BootstrapController::Look(const BootstrapRecord& bootstrap) const {
  const capi::MachineRecord* machine = seen_.MachineOf(bootstrap);
  const auto label = bootstrap.labels.find(capi::labels::kCluster);
  Surrounded around;
  around.cluster.namespace_ = bootstrap.meta.key.namespace_;
  if (machine != nullptr) {
    around.machine = machine->meta.key.name;
    around.cluster = contract::ClusterOf(*machine);
  } else if (label != bootstrap.labels.end()) {
    around.cluster.name = label->second;
  }
  const capi::ClusterRecord* cluster = seen_.served.clusters.store().Find(around.cluster);
  around.view = {.deleting = bootstrap.deleting(),
                 .paused = seen_.IsPaused(bootstrap, cluster),
                 .has_machine = machine != nullptr && cluster != nullptr,
                 .connected = remotes_.Find(around.cluster) != nullptr,
                 .cluster_ends = cluster == nullptr || cluster->deleting(),
                 .wants_token = bootstrap.user_data.view().contains(kTokenWord),
                 .has_token = !With(bootstrap.finalizers, std::string(kTokenFinalizer)),
                 .expired = surroundings_.clock.Now() > bootstrap.created + kTokenEndsLatest,
                 .has_data = bootstrap.data_secret_created,
                 .joined = machine != nullptr && !machine->status.node.empty()};
  return around;
}

Task<Result<Requeue>> BootstrapController::Reconcile(ObjectKey key) {
  const BootstrapRecord* found = seen_.bootstraps.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  if (seen_.bootstraps.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const BootstrapRecord bootstrap = *found;
  const Surrounded around = Look(bootstrap);
  const std::string finalizer(kTokenFinalizer);
  switch (PlanBootstrap(around.view)) {
    case BootstrapStep::kRest: break;
    case BootstrapStep::kNoteToken:
      CO_CHECK(co_await bootstraps_.AddFinalizer(bootstrap.meta, bootstrap.finalizers, finalizer));
      break;
    case BootstrapStep::kFill: CO_CHECK(co_await Make(bootstrap, around)); break;
    case BootstrapStep::kDropToken:
      CO_CHECK(co_await DropToken(bootstrap, around.cluster));
      [[fallthrough]];
    case BootstrapStep::kForgetToken:
      CO_CHECK(
          co_await bootstraps_.RemoveFinalizer(bootstrap.meta, bootstrap.finalizers, finalizer));
      break;
  }
  // Who cannot be asked to forget a token is told nothing, and it ends by itself.
  const bool waits = bootstrap.deleting() && around.view.has_token && !around.view.connected;
  if (!waits) co_return Requeue::WhenChanged();
  const Duration left = bootstrap.created + kTokenEndsLatest - surroundings_.clock.Now();
  co_return Requeue::After(std::max<Duration>(left, std::chrono::seconds(1)));
}

Task<Result<void>> BootstrapController::Make(BootstrapRecord bootstrap, Surrounded around) {
  CO_TRY(const SecretText data, co_await Fill(bootstrap, around.cluster, around.machine));
  CO_CHECK(co_await Store(bootstrap, around.cluster.name, data));
  capi::Set(bootstrap.conditions, "Ready", {.status = capi::Truth::kTrue, .reason = "Ready"},
            bootstrap.meta.generation, surroundings_.clock.Now());
  json::object status{{"initialization", json::object{{"dataSecretCreated", true}}},
                      {"dataSecretName", bootstrap.meta.key.name},
                      {"conditions", Encode(bootstrap.conditions)}};
  CO_CHECK(co_await bootstraps_.Patch(bootstrap.meta, {{"status", std::move(status)}}, "status"));
  co_return Ok();
}

Task<Result<void>> BootstrapController::DropToken(const BootstrapRecord& bootstrap,
                                                  ObjectKey cluster) {
  const auto remote = remotes_.Find(cluster);
  if (!remote) co_return Fail(ErrorKind::kUnavailable, "the cluster cannot be reached");
  BootstrapTokens tokens(remote->client(), surroundings_.clock, surroundings_.random, {});
  co_return co_await tokens.Drop(bootstrap.meta.uid, bootstrap.meta.key.name);
}

Task<Result<SecretText>> BootstrapController::Fill(const BootstrapRecord& bootstrap,
                                                   ObjectKey cluster, std::string machine) {
  const SecretText text{std::string(bootstrap.user_data.view())};
  UserDataValues values{.machine = machine};
  if (text.Reveal().contains(kTokenWord)) {
    const auto remote = remotes_.Find(cluster);
    if (!remote) co_return Fail(ErrorKind::kUnavailable, "the cluster cannot be reached");
    BootstrapTokens tokens(remote->client(), surroundings_.clock, surroundings_.random,
                           bootstrap.token_groups);
    CO_TRY(values.token, co_await tokens.Take(bootstrap.meta.uid, machine, kTokenLasts));
  }
  co_return FillUserData(text, values);
}

Task<Result<void>> BootstrapController::Store(const BootstrapRecord& bootstrap,
                                              const std::string& cluster, const SecretText& data) {
  const ObjectKey& key = bootstrap.meta.key;
  const json::object body{{"apiVersion", "v1"},
                          {"kind", "Secret"},
                          {"metadata",
                           {{"name", key.name},
                            {"namespace", key.namespace_},
                            {"labels", json::object{{capi::labels::kCluster, cluster}}},
                            {"ownerReferences", json::array{OwnerReferenceTo(bootstrap)}}}},
                          {"type", "cluster.x-k8s.io/secret"},
                          {"stringData", {{"value", data.Reveal()}, {"format", "cloud-config"}}}};
  const auto created =
      co_await surroundings_.management.Create(contract::kSecrets, key, json::serialize(body));
  // Made by us before we could say so; its token is the same.
  const bool there = created || created.error().kind() == ErrorKind::kAlreadyExists;
  if (!there) co_return Failure(created.error());
  co_return Ok();
}

}  // namespace millwright::controllers::supply
