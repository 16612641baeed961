#include "tests/sim/node_agents.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include "apiserver/server/embedded.h"

namespace millwright::sim {

namespace json = boost::json;

namespace {

constexpr Duration kPeriod = std::chrono::seconds(5);

}  // namespace

NodeAgents::NodeAgents(Cluster& cluster)
    : cluster_(cluster),
      process_(cluster.world()),
      clock_(process_),
      wire_(process_, cluster.server_place(), apiserver::TrustedPeer("node-agents")) {
  if (cluster.words().updated_node == nullptr) return;
  boost::asio::co_spawn(process_.executor(), Run(*this), boost::asio::detached);
}

Task<void> NodeAgents::Run(NodeAgents& self) {
  while (co_await SleepFor(self.clock_, kPeriod) != Wake::kCancelled) {
    if (self.cluster_.server_is_away() || self.cluster_.store().revision() == self.seen_) continue;
    self.seen_ = self.cluster_.store().revision();
    const auto page = self.cluster_.store().List({.scope = "/core/nodes/"});
    for (const apiserver::RecordPtr& node : page->records) co_await self.LookAt(node);
  }
}

Task<void> NodeAgents::LookAt(apiserver::RecordPtr node) {
  const json::value object = json::parse(node->value);
  std::string patch = cluster_.words().updated_node(object);
  if (patch.empty()) co_return;
  // What fails is tried again when we look again.
  (void)co_await wire_.Send({.method = "PATCH",
                             .target = "/api/v1/nodes/" + TextAt(object, "/metadata/name"),
                             .headers = {{"Content-Type", "application/merge-patch+json"}},
                             .body = std::move(patch)});
}

}  // namespace millwright::sim
