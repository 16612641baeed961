// The command line of Cluster API's core manager, as far as machines go.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "core/replicas/preflight.h"
#include "dialects/cluster_source.h"
#include "dialects/flag_table.h"
#include "kube/api/schema_pattern.h"

namespace millwright::dialects::capi {

std::vector<Flag> Flags();

struct Gates {
  bool preflight_checks = true;
  bool considers_attachments = true;
  bool taint_propagation = false;
  bool in_place_updates = false;
  bool topology = false;
};

struct Workers {
  std::size_t clusters = 0;
  std::size_t machines = 0;
  std::size_t sets = 0;
  std::size_t deployments = 0;
  std::size_t health_checks = 0;
};

struct Election {
  Duration lease{};
  Duration renew{};
  Duration retry{};
};

struct RequestLimit {
  double per_second = 0;
  int burst = 0;
};

struct WebhookOptions {
  std::uint16_t port = 9443;
  std::string directory;
  std::string certificate;
  std::string key;
};

struct ProgramOptions {
  ClusterSource cluster;
  std::string namespace_;  // empty: all
  std::string watch_filter;
  Duration connection_grace{};
  Duration conditions_grace{};
  Workers workers;
  std::set<core::PreflightCheck> preflight;
  Gates gates;
  std::vector<kube::Pattern> node_labels;  // that nodes get from machines, too
  std::vector<kube::Pattern> node_annotations;
  std::optional<RequestLimit> limit;  // none: as fast as the server likes
  std::optional<Election> election;   // none: everybody works
  std::string health_address;
  std::uint16_t health_port = 0;
  std::string metrics_address;
  std::uint16_t metrics_port = 0;
  bool plain_metrics = false;  // serve them there, too
  bool profiling = false;
  WebhookOptions webhooks;
  bool log_everything = false;
  std::vector<std::string> ignored;  // given, and nothing follows from them
};

// kInvalid, naming what is wrong.
Result<ProgramOptions> ReadFlags(std::span<const std::string> words);

}  // namespace millwright::dialects::capi
