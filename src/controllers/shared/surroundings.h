// What every controller of a process shares: whom it talks to, how it measures time, which dialect
// it speaks, and how it was asked to behave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "core/lifecycle/retry.h"
#include "core/safety/api_guard.h"
#include "core/safety/overshoot.h"
#include "dialects/dialect.h"
#include "kube/client/client.h"
#include "kube/events/recorder.h"

namespace millwright::controllers {

struct Settings {
  std::string namespace_ = "default";  // of the control cluster: nothing outside it is touched
  std::size_t workers = 50;
  // Those that classes may name. Empty: any of the namespace.
  std::vector<std::string> secret_names;

  // Limits for machines that set none of their own.
  Duration creation = std::chrono::minutes(20);
  Duration health = std::chrono::minutes(10);
  Duration drain = std::chrono::hours(2);
  Duration update_in_place = std::chrono::minutes(20);
  Duration preserve = std::chrono::hours(96);
  Duration volume_detach = std::chrono::minutes(2);
  Duration volume_reattach = std::chrono::seconds(90);
  int evict_retries = 360;
  std::vector<std::string> node_conditions = {"KernelDeadlock", "ReadonlyFilesystem",
                                              "DiskPressure", "NetworkUnavailable"};
  int max_replacements = 1;  // of unwell machines of one deployment at once
  core::RetryPeriods retry;

  std::string token_groups;  // of bootstrap tokens, besides the usual one
  bool hold_scale_down_during_rollout = true;
  core::OvershootLimits overshoot;
  core::ApiGuardLimits api_guard;
  std::optional<Duration> orphan_sweep = std::chrono::minutes(15);  // none: never
  Duration orphan_grace = std::chrono::minutes(5);
  int orphan_quota = 20;
};

struct Surroundings {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
  kube::Client& control;
  kube::Client* target = nullptr;  // none: machines join no cluster
  dialects::Dialect& dialect;
  kube::Recorder& events;
  Settings settings;

  bool expects_nodes() const { return target != nullptr; }
};

}  // namespace millwright::controllers
