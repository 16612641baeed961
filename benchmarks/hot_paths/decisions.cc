// From what is seen to what is written.
#include <boost/json/serialize.hpp>

#include <memory>
#include <utility>

#include "benchmarks/hot_paths/hot_path.h"
#include "benchmarks/hot_paths/samples.h"
#include "core/replicas/counts.h"
#include "core/replicas/plan.h"
#include "dialects/gardener/gardener.h"

namespace millwright::benchmarks {

namespace {

using dialects::gardener::GardenerDialect;

const WallTime kNow = *ParseTime("2026-11-16T10:00:00Z");

template <class Record>
Record Read(GardenerDialect& dialect, Result<Record> (GardenerDialect::*read)(kube::JsonObject),
            const std::string& text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  kube::JsonObject object;
  if (parser.iterate(padded).get(document) || document.get_object().get(object)) {
    Broken("a sample is no JSON");
  }
  Result<Record> record = (dialect.*read)(object);
  if (!record) Broken(record.error().message());
  return *std::move(record);
}

// A set of many machines, and all of them.
struct Fleet {
  GardenerDialect dialect;
  dialects::SetRecord set = Read(dialect, &GardenerDialect::ReadSet, SampleGardenerSet());
  dialects::MachineRecord machine =
      Read(dialect, &GardenerDialect::ReadMachine, SampleGardenerMachine(7, false));
  std::vector<core::Machine> machines;

  Fleet() {
    for (int i = 0; i < kMany; ++i) {
      machines.push_back(dialects::Whole(
          Read(dialect, &GardenerDialect::ReadMachine, SampleGardenerMachine(i, true))));
    }
  }
};

}  // namespace

HotPath ReplicaPlan() {
  return {"replica_plan_1000", [] {
            return [fleet = std::make_shared<Fleet>()] {
              const auto plan = core::PlanReplicas(fleet->set.core, fleet->machines,
                                                   fleet->dialect.replicas(), kNow);
              if (plan.remove.size() != 10) Broken("ten machines should go");
            };
          }};
}

HotPath SetCount() {
  return {"set_count_1000", [] {
            return [fleet = std::make_shared<Fleet>()] {
              if (core::CountMachines(fleet->machines).available != kMany)
                Broken("all are available");
            };
          }};
}

HotPath StatusPatch() {
  return {
      "status_patch", [] {
        return [fleet = std::make_shared<Fleet>()] {
          const auto patch = fleet->dialect.MachineStatus(
              fleet->machine,
              {.what = dialects::MachineReport::What::kJoined, .took = std::chrono::seconds(90)},
              kNow);
          if (boost::json::serialize(patch).size() < 100) Broken("there is more to say");
        };
      }};
}

HotPath NewMachineBody() {
  return {"new_machine_body", [] {
            return [fleet = std::make_shared<Fleet>()] {
              const auto body = fleet->dialect.NewMachine(fleet->set, "pool-a-000007");
              if (!body || boost::json::serialize(*body).size() < 300)
                Broken("there is more in it");
            };
          }};
}

}  // namespace millwright::benchmarks
