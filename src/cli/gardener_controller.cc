#include "cli/gardener_controller.h"

#include "dialects/gardener/program_options.h"

namespace millwright::cli {

using dialects::gardener::MachinesOptions;
using dialects::gardener::Program;
using dialects::gardener::ProgramOptions;
using dialects::gardener::SetsOptions;

namespace {

Program ProgramOf(controllers::Loops loops) {
  if (loops.sets && loops.machines) return Program::kBoth;
  return loops.sets ? Program::kSets : Program::kMachines;
}

void Take(const SetsOptions& options, controllers::Settings& settings) {
  settings.overshoot = {.above = options.safety_up, .below = options.safety_down};
  settings.hold_scale_down_during_rollout = options.hold_scale_down;
}

void Take(const MachinesOptions& options, controllers::Settings& settings) {
  settings.creation = options.creation;
  settings.health = options.health;
  settings.drain = options.drain;
  settings.update_in_place = options.update_in_place;
  settings.preserve = options.preserve;
  settings.evict_retries = options.evict_retries;
  settings.volume_detach = options.volume_detach;
  settings.volume_reattach = options.volume_reattach;
  settings.node_conditions = options.node_conditions;
  settings.token_groups = options.token_groups;
  settings.secret_names = options.secret_names;
  settings.retry.exhausted = options.exhausted_retry;
  settings.api_guard = {.failing_for = options.api_failing_for, .look_every = options.api_period};
  settings.orphan_sweep = options.orphan_period;
  if (options.orphan_period == Duration::zero()) settings.orphan_sweep.reset();
}

}  // namespace

std::vector<dialects::Flag> GardenerFlags(controllers::Loops loops) {
  return dialects::gardener::FlagsOf(ProgramOf(loops));
}

Result<ControllerPlan> PlanGardener(controllers::Loops loops, std::span<const std::string> words,
                                    const std::string& host) {
  const Program program = ProgramOf(loops);
  TRY(ProgramOptions options, dialects::gardener::ReadFlags(program, words));
  const std::vector<std::string> names = dialects::gardener::LeasesOf(program);
  ControllerPlan plan{.clusters = std::move(options.clusters),
                      .loops = loops,
                      .component = names.front(),
                      .status_server = {.address = options.address, .port = options.port},
                      .profiling = options.profiling,
                      .log_everything = options.log_everything,
                      .ignored_flags = std::move(options.ignored)};
  plan.settings.namespace_ = options.namespace_;
  plan.settings.workers = options.workers;
  if (options.sets) Take(*options.sets, plan.settings);
  if (options.machines) Take(*options.machines, plan.settings);
  if (options.limit) plan.limit = {options.limit->per_second, options.limit->burst};
  if (!options.election) return plan;
  for (const std::string& name : names) {
    // Upstream stands for election under its host's name too: a process that was restarted in the
    // same pod goes on at once.
    plan.leases.push_back({.lease = {options.namespace_, name},
                           .identity = host,
                           .timing = {.lease_duration = options.election->lease,
                                      .renew_deadline = options.election->renew,
                                      .retry_period = options.election->retry}});
  }
  return plan;
}

}  // namespace millwright::cli
