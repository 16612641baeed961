#include <cstdio>

#include "agent/node_agent.h"
#include "agent/system_facts.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/process.h"
#include "kube/api/quantity.h"

namespace millwright::cli {

namespace {

struct AgentFlags {
  std::string user_data;
  std::string state_dir;
  std::string name;
  std::string provider_id;
  std::string cpu;
  std::string memory;
  std::string pods = "110";
  std::vector<std::string> labels;
};

Result<agent::NodeFacts> FactsFrom(const AgentFlags& flags) {
  agent::NodeFacts node{
      .name = flags.name, .provider_id = flags.provider_id, .system = agent::FactsOfThisComputer()};
  node.capacity = {{"cpu", flags.cpu.empty() ? node.system.cpu : flags.cpu},
                   {"memory", flags.memory.empty() ? node.system.memory : flags.memory},
                   {"pods", flags.pods}};
  for (const auto& [resource, amount] : node.capacity) {
    const auto quantity = kube::ParseQuantity(amount);
    if (!quantity) return Failure(Error(quantity.error()).Wrap("--" + resource));
  }
  for (const std::string& label : flags.labels) {
    const auto equals = label.find('=');
    if (equals == label.npos || equals == 0) {
      return Fail(ErrorKind::kInvalid, "--label " + label + ": use NAME=VALUE");
    }
    node.labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return node;
}

Result<agent::AgentSettings> SettingsFrom(const AgentFlags& flags) {
  TRY(const std::string text, agent::ReadWholeFile(flags.user_data));
  TRY(agent::UserData user_data, agent::ParseUserData(text, agent::ReadWholeFile));
  TRY(agent::NodeFacts facts, FactsFrom(flags));
  TRY(agent::NodeFacts node, agent::NodeFor(std::move(facts), user_data));
  return agent::AgentSettings{.user_data = std::move(user_data),
                              .state = agent::StateFolder(flags.state_dir),
                              .node = std::move(node)};
}

Task<ExitCode> RunAgent(Process process, agent::AgentSettings settings) {
  agent::NodeAgent node_agent({.executor = process.executor,
                               .clock = process.clock,
                               .random = process.random,
                               .log = process.log.For("agent"),
                               .connect = agent::ConnectOver(process.executor, process.clock)},
                              std::move(settings));
  co_await node_agent.Run();
  co_return ExitCode::kOk;
}

}  // namespace

void AddNodeAgentCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command = app.add_subcommand(
      "node-agent", "Be the node of a local machine: what its processes run, not for people");
  command->group("");
  auto flags = std::make_shared<AgentFlags>();
  command->add_option("--user-data", flags->user_data, "File with server, CA and token")
      ->required();
  command->add_option("--state-dir", flags->state_dir, "Where key and certificate are kept")
      ->required();
  command->add_option("--name", flags->name, "Of the node; else nodeName in the user data");
  command->add_option("--provider-id", flags->provider_id, "For spec.providerID");
  command->add_option("--cpu", flags->cpu, "What the node says that it has; else this computer's");
  command->add_option("--memory", flags->memory, "Likewise");
  command->add_option("--pods", flags->pods, "Likewise")->capture_default_str();
  command->add_option("--label", flags->labels, "NAME=VALUE, any number of times");
  command->callback([&global, &run, flags] {
    run = [&global, flags] {
      const auto options = global.ForProcess();
      if (!options) return Report(Stage::kUsage, options.error());
      auto settings = SettingsFrom(*flags);
      if (!settings) return Report(Stage::kUsage, settings.error());
      return RunProcess(*options,
                        [&](Process process) { return RunAgent(std::move(process), *settings); });
    };
  });
}

}  // namespace millwright::cli
