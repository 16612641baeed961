#include "tests/sim/mutants.h"

#include <boost/json.hpp>

#include <algorithm>

#include "dialects/gardener/gardener.h"

namespace millwright::sim {

namespace json = boost::json;
using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::MachineReport;
using dialects::SetRecord;
using dialects::gardener::GardenerDialect;

namespace {

template <class T>
std::unique_ptr<dialects::Dialect> Make() {
  return std::make_unique<T>();
}

struct OneMoreSurge final : GardenerDialect {
  Result<DeploymentRecord> ReadDeployment(kube::JsonObject object) override {
    auto record = GardenerDialect::ReadDeployment(object);
    if (record) record->core.max_surge = core::Amount::Of(record->core.max_surge.value() + 1);
    return record;
  }
};

struct OneMoreUnavailable final : GardenerDialect {
  Result<DeploymentRecord> ReadDeployment(kube::JsonObject object) override {
    auto record = GardenerDialect::ReadDeployment(object);
    if (record) {
      record->core.max_unavailable = core::Amount::Of(record->core.max_unavailable.value() + 1);
    }
    return record;
  }
};

struct TakesJoiningForRunning final : GardenerDialect {
  Result<MachineRecord> ReadMachine(kube::JsonObject object) override {
    auto record = GardenerDialect::ReadMachine(object);
    if (record && record->core.phase == core::Phase::kJoining) {
      record->core.ready = record->core.available = true;
    }
    return record;
  }
};

struct ForgetsTheFinalizer final : GardenerDialect {
  Result<json::object> NewMachine(const SetRecord& set, const std::string& name) const override {
    auto body = GardenerDialect::NewMachine(set, name);
    if (body) body->at("metadata").as_object().erase("finalizers");
    return body;
  }
  // And does not add it later either.
  Result<MachineRecord> ReadMachine(kube::JsonObject object) override {
    auto record = GardenerDialect::ReadMachine(object);
    if (record && record->finalizers.get().empty()) {
      record->finalizers = std::vector{names().finalizer};
    }
    return record;
  }
};

struct ForgetsTheOwner final : GardenerDialect {
  Result<json::object> NewMachine(const SetRecord& set, const std::string& name) const override {
    auto body = GardenerDialect::NewMachine(set, name);
    if (body) {
      body->at("metadata").as_object().erase("ownerReferences");
      body->at("metadata").as_object()["labels"] = json::object{{"stray", "yes"}};
    }
    return body;
  }
};

struct NeverRecordsTheInstance final : GardenerDialect {
  json::object Recorded(const MachineRecord&, std::string_view, std::string_view) const override {
    return {};
  }
};

struct NeverReportsSets final : GardenerDialect {
  json::object SetStatus(const SetRecord&, const dialects::SetReport&, WallTime) const override {
    return {};
  }
};

struct AlwaysWritesAgain final : GardenerDialect {
  json::object SetStatus(const SetRecord& set, const dialects::SetReport& report,
                         WallTime now) const override {
    auto patch = GardenerDialect::SetStatus(set, report, now);
    patch["status"] =
        json::object{{"lastOperation", {{"description", set.meta.resource_version.str()}}}};
    return patch;
  }
};

struct TellsTheSecret final : GardenerDialect {
  json::object MachineStatus(const MachineRecord& machine, const MachineReport& report,
                             WallTime now) const override {
    auto patch = GardenerDialect::MachineStatus(machine, report, now);
    if (patch.contains("status")) patch["status"].as_object()["lastKnownState"] = "hunter2";
    return patch;
  }
};

struct NeverHoldsTheNode final : GardenerDialect {
  dialects::NodeChange SyncedNode(const MachineRecord& machine, const dialects::ClassRecord* of,
                                  const dialects::NodeRecord& node) const override {
    auto change = GardenerDialect::SyncedNode(machine, of, node);
    change.annotations.set["mutant/round"] = node.meta.resource_version.str();
    return change;
  }
};

struct SetsCountOneTooMany final : GardenerDialect {
  json::object SetStatus(const SetRecord& set, const dialects::SetReport& report,
                         WallTime now) const override {
    dialects::SetReport more = report;
    ++more.counts.available;
    ++more.counts.ready;
    return GardenerDialect::SetStatus(set, more, now);
  }
};

struct NeverShrinksSets final : GardenerDialect {
  json::object ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                          const dialects::SetWish& wish) const override {
    json::object patch = GardenerDialect::ChangedSet(deployment, set, wish);
    json::value* spec = patch.if_contains("spec");
    json::value* replicas = spec != nullptr ? spec->as_object().if_contains("replicas") : nullptr;
    if (replicas != nullptr && replicas->to_number<int>() < set.core.replicas) {
      *replicas = set.core.replicas;
    }
    return patch;
  }
};

bool RemoveNothing(providers::MachineIdentity&, Result<void>&) { return true; }

bool RemoveWithoutIdentity(providers::MachineIdentity& machine, Result<void>&) {
  machine.uid = Uid();
  machine.instance.clear();
  return false;
}

void CreateForNobody(providers::CreateRequest& request, std::uint64_t serial) {
  request.machine.uid = Uid("nobody-" + std::to_string(serial));
}

// As if it had never asked before.
void ForgetWhatWasAskedFor(providers::CreateRequest& request, std::uint64_t serial) {
  request.remembered = std::to_string(serial);
}

void TakeFailureForRemoved(Result<void>& answer) {
  if (!answer) answer = Ok();
}

// It would clean up behind the bug.
void WithoutSweep(controllers::Settings& settings) { settings.orphan_sweep.reset(); }

void FindNothing(Result<providers::Instance>& answer) {
  answer = providers::FailCloud(core::CloudCode::kNotFound, "not found");
}

void TakeAwayForGone(Result<providers::Instance>& answer) {
  if (!answer) answer = providers::FailCloud(core::CloudCode::kNotFound, "not found");
}

// Asks for a machine that nobody has, where it should make sure.
void NeverMakeSure(net::HttpRequest& request) {
  if (request.method == "GET" && request.target.contains("/machines/")) {
    request.target += "-nobody";
  }
}

bool IsPatchOf(const net::HttpRequest& request, std::string_view plural) {
  return request.method == "PATCH" && request.target.contains(plural);
}

// Writes its own annotations and drops everybody else's.
void DropForeignNotes(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machines/") && !IsPatchOf(request, "/nodes/")) return;
  json::value body = json::parse(request.body);
  json::value& metadata = body.as_object()["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  json::value& notes = metadata.as_object()["annotations"];
  if (!notes.is_object()) notes = json::object();
  notes.as_object()["example.com/note"] = nullptr;
  request.body = json::serialize(body);
}

// Its own finalizer is the only one it knows.
void DropForeignFinalizers(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/secrets/") || !request.body.contains("finalizers")) return;
  json::value body = json::parse(request.body);
  body.at("metadata").as_object()["finalizers"] = json::array();
  request.body = json::serialize(body);
}

void DeleteInsteadOfEvicting(net::HttpRequest& request) {
  const auto eviction = request.target.find("/eviction");
  if (eviction == std::string::npos) return;
  request.method = "DELETE";
  request.target.resize(eviction);
  request.body.clear();
}

void TellInEvents(net::HttpRequest& request) {
  if (request.method != "POST" || !request.target.contains("/events")) return;
  json::value body = json::parse(request.body);
  body.as_object()[body.as_object().contains("note") ? "note" : "message"] = "with hunter2";
  request.body = json::serialize(body);
}

// As a cache does that asks for something else than it means.
void SeeNoMachines(net::HttpRequest& request) {
  const bool reads = request.method == "GET" && request.target.contains("/machines?");
  if (reads) request.target += "&labelSelector=nobody%3Dhas";
}

// Looks, where it should delete.
void Spare(net::HttpRequest& request, std::string_view plural) {
  if (request.method != "DELETE" || !request.target.contains(plural)) return;
  request.method = "GET";
  request.body.clear();
}
void SpareNodes(net::HttpRequest& request) { Spare(request, "/nodes/"); }
void SpareTokens(net::HttpRequest& request) { Spare(request, "/secrets/"); }

// Whoever wrote in between is overruled.
void WriteWithoutVersion(net::HttpRequest& request) {
  if (request.method != "PATCH" || !request.body.contains("resourceVersion")) return;
  json::value body = json::parse(request.body);
  body.at("metadata").as_object().erase("resourceVersion");
  request.body = json::serialize(body);
}

void DrainForNoTime(controllers::Settings& settings) { settings.drain = Duration::zero(); }

void GiveUpCreationAtOnce(controllers::Settings& settings) {
  settings.creation = std::chrono::seconds(5);
}

void RetryAtOnce(controllers::Settings& settings) {
  const Duration soon = std::chrono::milliseconds(50);
  settings.retry = {.conflict = soon, .short_time = soon, .medium_time = soon, .long_time = soon};
}

constexpr Mutant kMutants[] = {
    {.name = "one more surge", .dialect = Make<OneMoreSurge>, .found_as = " machines, wished"},
    {.name = "one more unavailable",
     .dialect = Make<OneMoreUnavailable>,
     .found_as = "available machines"},
    {.name = "joining taken for running", .dialect = Make<TakesJoiningForRunning>},
    {.name = "no finalizer on machines",
     .dialect = Make<ForgetsTheFinalizer>,
     .needs_chance = true},
    {.name = "machines without owner", .dialect = Make<ForgetsTheOwner>},
    {.name = "instance never recorded", .dialect = Make<NeverRecordsTheInstance>},
    {.name = "sets never report", .dialect = Make<NeverReportsSets>},
    {.name = "a write at every look", .dialect = Make<AlwaysWritesAgain>},
    {.name = "a secret in the status", .dialect = Make<TellsTheSecret>, .found_as = "a secret in"},
    {.name = "a node write at every look", .dialect = Make<NeverHoldsTheNode>},
    {.name = "removal only pretended", .remove = RemoveNothing},
    {.name = "removal without identity", .remove = RemoveWithoutIdentity},
    {.name = "create without idempotency", .create = CreateForNobody},
    {.name = "each create is another attempt, and nothing is looked for",
     .create = ForgetWhatWasAskedFor,
     .got = FindNothing,
     .needs_chance = true,
     .found_as = "two VMs live"},
    {.name = "nothing is ever found, and create is not idempotent",
     .create = CreateForNobody,
     .got = FindNothing},
    {.name = "a failed removal taken for done",
     .removed = TakeFailureForRemoved,
     .settings = WithoutSweep,
     .needs_chance = true},
    {.name = "what is away taken for gone", .got = TakeAwayForGone, .needs_chance = true},
    {.name = "orphans judged by an old view", .request = NeverMakeSure, .needs_chance = true},
    {.name = "sets count one too many", .dialect = Make<SetsCountOneTooMany>},
    {.name = "sets never shrink", .dialect = Make<NeverShrinksSets>},
    {.name = "annotations of others dropped",
     .request = DropForeignNotes,
     .found_as = "somebody else's"},
    {.name = "finalizers of others dropped",
     .request = DropForeignFinalizers,
     .found_as = "somebody else's"},
    {.name = "pods deleted and not evicted",
     .request = DeleteInsteadOfEvicting,
     .found_as = "not evicted"},
    {.name = "a secret in events", .request = TellInEvents, .found_as = "a secret in"},
    {.name = "an empty list taken for the truth", .request = SeeNoMachines},
    {.name = "nodes left behind", .request = SpareNodes, .found_as = "left behind: /core/nodes"},
    {.name = "tokens left behind", .request = SpareTokens, .found_as = "left behind"},
    {.name = "writes that overrule others", .request = WriteWithoutVersion, .needs_chance = true},
    {.name = "no time for a drain", .settings = DrainForNoTime},
    {.name = "creation given up at once", .settings = GiveUpCreationAtOnce},
    {.name = "failures tried again at once", .settings = RetryAtOnce, .needs_chance = true},
};

}  // namespace

std::span<const Mutant> Mutants() { return kMutants; }

bool IsFound(const Mutant& mutant, std::span<const std::string> violations) {
  return std::ranges::any_of(violations, [&](const std::string& violation) {
    return violation.contains(mutant.found_as);
  });
}

Mutant WithoutBug(const Mutant& mutant) {
  const bool only_settings = mutant.dialect == nullptr && mutant.request == nullptr &&
                             mutant.create == nullptr && mutant.got == nullptr &&
                             mutant.remove == nullptr && mutant.removed == nullptr;
  return {.name = "nothing planted", .settings = only_settings ? nullptr : mutant.settings};
}

}  // namespace millwright::sim
