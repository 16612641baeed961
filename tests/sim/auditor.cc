#include "tests/sim/auditor.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

namespace millwright::sim {

namespace json = boost::json;
using providers::CloudEvent;

namespace {

constexpr std::string_view kGroup = "/machine.sapcloud.io/";

std::string Text(const json::value& object, std::string_view pointer) {
  boost::system::error_code none;
  const json::value* found = object.find_pointer(pointer, none);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

int Number(const json::value& object, std::string_view pointer) {
  boost::system::error_code none;
  const json::value* found = object.find_pointer(pointer, none);
  return found != nullptr && found->is_int64() ? static_cast<int>(found->as_int64()) : 0;
}

bool Has(const json::value& object, std::string_view pointer) {
  boost::system::error_code none;
  return object.find_pointer(pointer, none) != nullptr;
}

std::string Owner(const json::value& object) {
  return Text(object, "/metadata/ownerReferences/0/uid");
}

MachineFacts MachineOf(const json::value& object) {
  return {.name = Text(object, "/metadata/name"),
          .uid = Text(object, "/metadata/uid"),
          .phase = Text(object, "/status/currentStatus/phase"),
          .owner_uid = Owner(object),
          .provider_id = Text(object, "/spec/providerID"),
          .deleting = Has(object, "/metadata/deletionTimestamp")};
}

DeploymentFacts DeploymentOf(const json::value& object) {
  boost::system::error_code none;
  const json::value* wanted = object.find_pointer("/spec/template", none);
  return {.name = Text(object, "/metadata/name"),
          .uid = Text(object, "/metadata/uid"),
          .deleting = Has(object, "/metadata/deletionTimestamp"),
          .replicas = Number(object, "/spec/replicas"),
          .surge = Number(object, "/spec/strategy/rollingUpdate/maxSurge"),
          .unavailable = Number(object, "/spec/strategy/rollingUpdate/maxUnavailable"),
          .strategy = Text(object, "/spec/strategy/type"),
          .template_text = wanted != nullptr ? json::serialize(*wanted) : ""};
}

}  // namespace

int Auditor::Count(std::string_view phase) const {
  return static_cast<int>(std::ranges::count_if(machines_, [&](const auto& entry) {
    return entry.second.phase == phase && !entry.second.deleting;
  }));
}

void Auditor::Complain(std::string what) {
  if (std::ranges::find(violations_, what) == violations_.end()) {
    violations_.push_back(std::move(what));
  }
}

void Auditor::Look(const apiserver::Store& store) {
  if (store.revision() != seen_) {
    seen_ = store.revision();
    Read(store);
    CheckRollouts();
  }
  if (cloud_.history().size() != cloud_seen_) CheckCloud();
}

void Auditor::Read(const apiserver::Store& store) {
  std::map<std::string, apiserver::RecordPtr> now;
  for (const char* kind : {"machines/", "machinesets/", "machinedeployments/"}) {
    const auto page = store.List({.scope = std::string(kGroup) + kind});
    for (const apiserver::RecordPtr& record : page->records) now.emplace(record->key, record);
  }
  for (const auto& [key, record] : records_) {
    if (now.contains(key)) continue;
    const auto machine = machines_.find(key);
    if (machine != machines_.end()) ended_.insert(machine->second.uid);
    machines_.erase(key);
    sets_.erase(key);
    deployments_.erase(key);
  }
  for (const auto& [key, record] : now) {
    const auto known = records_.find(key);
    if (known != records_.end() && known->second == record) continue;
    if (record->value.contains(kSecret)) Complain("a secret in " + key);
    const json::value object = json::parse(record->value);
    const std::string_view kind = std::string_view(key).substr(kGroup.size());
    if (kind.starts_with("machines/")) {
      const MachineFacts machine = MachineOf(object);
      if (machine.deleting) ended_.insert(machine.uid);
      machines_.insert_or_assign(key, machine);
    } else if (kind.starts_with("machinesets/")) {
      sets_.insert_or_assign(key, SetFacts{.name = Text(object, "/metadata/name"),
                                           .uid = Text(object, "/metadata/uid"),
                                           .owner_uid = Owner(object)});
    } else if (kind.starts_with("machinedeployments/")) {
      deployments_.insert_or_assign(key, DeploymentOf(object));
    }
  }
  records_ = std::move(now);
}

// One live VM for a machine, and none removed whose machine is to stay.
void Auditor::CheckCloud() {
  using enum providers::EventKind;
  const std::vector<CloudEvent>& history = cloud_.history();
  for (; cloud_seen_ < history.size(); ++cloud_seen_) {
    const CloudEvent& event = history[cloud_seen_];
    ++checks_;
    const std::string& uid = event.machine_uid.str();
    if (event.kind == kCreated) {
      live_[uid].insert(event.instance);
      if (live_[uid].size() > 1 && !event.by_script) {
        Complain(fmt::format("two VMs live for machine {} ({})", event.machine, uid));
      }
    }
    if (event.kind != kStopping && event.kind != kRemoved) continue;
    const bool was_live = live_[uid].erase(event.instance) > 0;
    if (event.by_script || !was_live) continue;
    const bool stays = std::ranges::any_of(machines_, [&](const auto& entry) {
      return entry.second.uid == uid && !entry.second.deleting &&
             (entry.second.provider_id.empty() || entry.second.provider_id == event.instance);
    });
    if (stays)
      Complain(fmt::format("the VM of machine {} went although it is to stay", event.machine));
  }
}

// Never more machines than wished and surge, never fewer available than wished and allowed.
void Auditor::CheckRollouts() {
  if (!check_bounds_) return;
  for (const auto& [key, deployment] : deployments_) {
    if (deployment.deleting || deployment.strategy != "RollingUpdate") continue;
    ++checks_;
    int total = 0;
    int available = 0;
    for (const auto& [name, machine] : machines_) {
      const bool ours = std::ranges::any_of(sets_, [&](const auto& set) {
        return set.second.uid == machine.owner_uid && set.second.owner_uid == deployment.uid;
      });
      if (!ours) continue;
      total += machine.deleting ? 0 : 1;
      available += machine.phase == "Running" && !machine.deleting ? 1 : 0;
    }
    if (total > deployment.replicas + deployment.surge) {
      Complain(fmt::format("{} has {} machines, wished {} and {} more", deployment.name, total,
                           deployment.replicas, deployment.surge));
    }
    // A wish for more is not there at once.
    int& full = was_full_[deployment.uid];
    if (available >= deployment.replicas) full = deployment.replicas;
    const int least =
        deployment.replicas - std::max(deployment.unavailable, deployment.surge == 0 ? 1 : 0);
    if (full >= deployment.replicas && available < least) {
      Complain(fmt::format("{} has {} available machines, wished {} and {} fewer", deployment.name,
                           available, deployment.replicas, deployment.unavailable));
    }
  }
}

void Auditor::ExpectNothingLeft(const apiserver::Store& store) {
  Look(store);
  for (const auto& [key, machine] : machines_) Complain("left behind: machine " + machine.name);
  for (const auto& [key, set] : sets_) Complain("left behind: set " + set.name);
  if (cloud_.live() != 0) Complain(fmt::format("left behind: {} VMs", cloud_.live()));
  for (const char* scope : {"/core/nodes/", "/core/secrets/kube-system/"}) {
    const auto page = store.List({.scope = scope});
    for (const apiserver::RecordPtr& record : page->records) {
      Complain("left behind: " + record->key);
    }
  }
}

}  // namespace millwright::sim
