// What a controller process is to do, in no dialect's words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "admission/webhook_handler.h"
#include "base/result.h"
#include "controllers/all/all_controllers.h"
#include "controllers/contract/shared/settings.h"
#include "controllers/shared/surroundings.h"
#include "dialects/cluster_source.h"
#include "dialects/flag_table.h"
#include "kube/connect/limited_http.h"
#include "kube/leader/elector.h"
#include "net/server.h"

namespace millwright::cli {

// Where a dialect answers API servers about writes.
struct WebhookPlan {
  std::uint16_t port = 0;
  admission::WebhookFiles files;
};

struct ControllerPlan {
  dialects::Clusters clusters;
  controllers::Settings settings;
  controllers::contract::Settings contract;  // of a dialect on contracts
  std::optional<WebhookPlan> webhooks;       // none: this dialect has none
  controllers::Loops loops;
  std::string component;  // who speaks in events and to servers
  net::ServerOptions status_server;
  std::optional<net::ServerOptions> second_status_server;  // the same pages once more
  bool profiling = false;
  std::vector<kube::ElectorOptions> leases;  // none: everybody works
  std::optional<kube::RequestLimit> limit;
  bool log_everything = false;
  std::vector<std::string> ignored_flags;  // given, and nothing follows from them
};

// How a dialect's controllers are started: its flags belong to it.
struct ControllerEntry {
  std::vector<dialects::Flag> (*flags)(controllers::Loops loops);
  // `host` is the name of this computer. kInvalid, naming what is wrong.
  Result<ControllerPlan> (*plan)(controllers::Loops loops, std::span<const std::string> words,
                                 const std::string& host);
};

}  // namespace millwright::cli
