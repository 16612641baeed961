// What a command line of upstream's programs asks for, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "dialects/cluster_source.h"
#include "dialects/gardener/flags.h"

namespace millwright::dialects::gardener {

struct RequestLimit {
  double per_second = 20;
  int burst = 30;

  friend bool operator==(const RequestLimit&, const RequestLimit&) = default;
};

struct Election {
  Duration lease{};
  Duration renew{};
  Duration retry{};
};

// Options of deployments and sets.
struct SetsOptions {
  int safety_up = 2;
  int safety_down = 1;
  bool hold_scale_down = true;
};

// Options of machines.
struct MachinesOptions {
  Duration creation{};
  Duration health{};
  Duration drain{};
  Duration update_in_place{};
  Duration preserve{};
  int evict_retries = 0;
  Duration volume_detach{};
  Duration volume_reattach{};
  Duration orphan_period{};
  Duration api_failing_for{};
  Duration api_period{};
  std::vector<std::string> node_conditions;
  std::string token_groups;
  std::vector<std::string> secret_names;
  Duration exhausted_retry{};
};

struct ProgramOptions {
  Program program = Program::kBoth;
  Clusters clusters;
  std::string namespace_;
  std::string address;
  std::uint16_t port = 0;
  bool profiling = false;
  std::size_t workers = 0;
  std::optional<RequestLimit> limit;  // none: as fast as the server likes
  std::optional<Election> election;   // none: everybody works
  bool log_everything = false;
  std::optional<SetsOptions> sets;          // none: this program has none
  std::optional<MachinesOptions> machines;  // likewise
  std::vector<std::string> ignored;         // flags that were given and have no effect
};

// kInvalid, naming what is wrong.
Result<ProgramOptions> ReadFlags(Program program, std::span<const std::string> words);

// The table of --control-kubeconfig and --target-kubeconfig.
Result<Clusters> ChooseClusters(const std::string& control, const std::string& target);

}  // namespace millwright::dialects::gardener
