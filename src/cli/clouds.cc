#include "cli/clouds.h"

namespace millwright::cli {

Clouds::Clouds(Process process, CloudsOptions options)
    : local_({.directory = options.machines, .program = "/proc/self/exe"}, process.clock,
             process.log.For("providers.local")),
      remote_(std::move(options.remote)),
      engine_(process.clock, process.random),
      simulated_(engine_, process.clock),
      tasks_(process.executor) {
  Add("local", local_, process.clock, options);
  Add("simulated", simulated_, process.clock, options);
  for (const auto& remote : remote_) Add(remote->name(), remote->cloud(), process.clock, options);
  if (options.joins == nullptr) return;
  joiner_.emplace(process.executor, *options.joins, process.clock);
  nodes_.emplace(engine_, *joiner_, process.clock, process.executor);
}

void Clouds::Add(const std::string& name, providers::Cloud& cloud, Clock& clock,
                 const CloudsOptions& options) {
  providers::Cloud* used = &cloud;
  if (options.observe) {
    used = metered_
               .emplace_back(
                   std::make_unique<providers::MeteredCloud>(name, cloud, clock, options.observe))
               .get();
  }
  registry_.Add(name, *used);
  if (name == options.default_provider) registry_.SetDefault(*used);
}

Task<void> Clouds::Run() {
  for (const auto& remote : remote_) {
    tasks_.Spawn([&remote] { return remote->cloud().Greet(); });
  }
  if (nodes_) {
    tasks_.Spawn([this] { return nodes_->Run(); });
    tasks_.Spawn([this] { return joiner_->RunHeartbeats(); });
  }
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::cli
