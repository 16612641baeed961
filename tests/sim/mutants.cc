#include "tests/sim/mutants.h"

#include <boost/json.hpp>

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
    if (record && record->finalizers.empty()) record->finalizers.push_back(names().finalizer);
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

bool RemoveNothing(providers::MachineIdentity&, Result<void>&) { return true; }

bool RemoveWithoutIdentity(providers::MachineIdentity& machine, Result<void>&) {
  machine.uid = Uid();
  machine.instance.clear();
  return false;
}

void CreateForNobody(providers::CreateRequest& request) {
  static int serial = 0;
  request.machine.uid = Uid("nobody-" + std::to_string(++serial));
}

void TakeFailureForRemoved(Result<void>& answer) {
  if (!answer) answer = Ok();
}

void FindNothing(Result<providers::Instance>& answer) {
  answer = providers::FailCloud(core::CloudCode::kNotFound, "not found");
}

// A token that does not say whose it is.
void AnonymousTokens(net::HttpRequest& request) {
  const bool token = request.method == "POST" && request.target.contains("/kube-system/secrets");
  if (!token) return;
  json::value body = json::parse(request.body);
  body.at("metadata").as_object().erase("annotations");
  request.body = json::serialize(body);
}

constexpr Mutant kMutants[] = {
    {.name = "one more surge", .dialect = Make<OneMoreSurge>},
    {.name = "one more unavailable", .dialect = Make<OneMoreUnavailable>},
    {.name = "joining taken for running", .dialect = Make<TakesJoiningForRunning>},
    {.name = "no finalizer on machines", .dialect = Make<ForgetsTheFinalizer>},
    {.name = "machines without owner", .dialect = Make<ForgetsTheOwner>},
    {.name = "instance never recorded", .dialect = Make<NeverRecordsTheInstance>},
    {.name = "sets never report", .dialect = Make<NeverReportsSets>},
    {.name = "a write at every look", .dialect = Make<AlwaysWritesAgain>},
    {.name = "a secret in the status", .dialect = Make<TellsTheSecret>},
    {.name = "a node write at every look", .dialect = Make<NeverHoldsTheNode>},
    {.name = "removal only pretended", .remove = RemoveNothing},
    {.name = "removal without identity", .remove = RemoveWithoutIdentity},
    {.name = "create without idempotency", .create = CreateForNobody},
    {.name = "nothing is ever found, and create is not idempotent",
     .create = CreateForNobody,
     .got = FindNothing},
    {.name = "a failed removal taken for done",
     .removed = TakeFailureForRemoved,
     .without_sweep = true,
     .needs_chance = true},
    {.name = "tokens that nobody owns", .request = AnonymousTokens},
};

}  // namespace

std::span<const Mutant> Mutants() { return kMutants; }

}  // namespace millwright::sim
