#include "controllers/supply/bootstrap_controller.h"

#include <boost/json.hpp>

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
        if (before == nullptr && after != nullptr) wake(*after);
      });
  const auto wake_cluster = [this, wake](const ObjectKey& cluster) {
    const std::string key = contract::ClusterKey(cluster);
    for (const auto* machine : seen_.served.machines_by_cluster.Find(key)) wake(*machine);
  };
  seen_.served.clusters.OnChange(
      [wake_cluster](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr || (before != nullptr && before->paused == after->paused)) return;
        wake_cluster(after->meta.key);
      });
  remotes_.OnConnection(wake_cluster);
}

Task<Result<Requeue>> BootstrapController::Reconcile(ObjectKey key) {
  const BootstrapRecord* found = seen_.bootstraps.store().Find(key);
  if (found == nullptr || found->deleting() || found->data_created) {
    co_return Requeue::WhenChanged();
  }
  if (seen_.bootstraps.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const capi::MachineRecord* machine = seen_.MachineOf(*found);
  const capi::ClusterRecord* cluster = machine != nullptr ? seen_.ClusterOf(*machine) : nullptr;
  if (cluster == nullptr || seen_.IsPaused(*found, cluster)) co_return Requeue::WhenChanged();
  // Whether the cluster can be reached we are told.
  if (!remotes_.Find(cluster->meta.key)) co_return Requeue::WhenChanged();

  BootstrapRecord bootstrap = *found;
  const ObjectKey of = cluster->meta.key;
  CO_TRY(const SecretText data, co_await Fill(bootstrap, of, machine->meta.key.name));
  CO_CHECK(co_await Store(bootstrap, of.name, data));
  capi::Set(bootstrap.conditions, "Ready", {.status = capi::Truth::kTrue, .reason = "Ready"},
            bootstrap.meta.generation, surroundings_.clock.Now());
  json::object status{{"initialization", json::object{{"dataSecretCreated", true}}},
                      {"dataSecretName", key.name},
                      {"conditions", Encode(bootstrap.conditions)}};
  CO_CHECK(co_await bootstraps_.Patch(bootstrap.meta, {{"status", std::move(status)}}, "status"));
  co_return Requeue::WhenChanged();
}

Task<Result<SecretText>> BootstrapController::Fill(const BootstrapRecord& bootstrap,
                                                   ObjectKey cluster, std::string machine) {
  const SecretText text{std::string(bootstrap.user_data.view())};
  UserDataValues values{.machine = machine};
  if (text.Reveal().contains("BOOTSTRAP_TOKEN")) {
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
