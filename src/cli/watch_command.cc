#include <cstdio>

#include "base/task_group.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/patience.h"
#include "cli/process.h"
#include "cli/watch_printer.h"
#include "kube/connect/connection.h"
#include "kube/watch/reflector.h"

namespace millwright::cli {

namespace {

struct WatchSettings {
  ClusterOptions cluster;
  std::string resource;
  std::string label_selector;
  std::string field_selector;
  std::string output = "text";
  bool once = false;

  bool IsJson() const { return output == "json"; }
};

// The first request tells what is wrong, if anything is; the reflector would try again for ever.
Task<Result<void>> Probe(kube::Client& client, const kube::ReflectorOptions& options) {
  CO_CHECK(co_await client.List(options.resource, {.namespace_ = options.namespace_,
                                                   .label_selector = options.label_selector,
                                                   .field_selector = options.field_selector,
                                                   .limit = 1}));
  co_return Ok();
}

Task<ExitCode> Watch(Process process, const WatchSettings& settings,
                     kube::GroupVersionResource resource) {
  auto config = kube::LoadClientConfig(settings.cluster.load, kube::SurroundingsOfThisProcess());
  if (!config) co_return Report(Stage::kKubeconfig, config.error());
  std::string name_space = settings.cluster.name_space;
  if (name_space.empty() && !settings.cluster.all_namespaces) name_space = config->name_space;

  auto connection = co_await kube::Connection::Open(process.executor, process.clock,
                                                    *std::move(config), {.retry = kPatience});
  if (!connection) co_return Report(Stage::kConnecting, connection.error());
  kube::Client& client = (*connection)->client();
  const auto known = co_await (*connection)->discovery().Find(resource);
  if (!known) co_return Report(Stage::kRequest, known.error());
  if (!*known) {
    std::fprintf(stderr, "millwright: this server has no %s: is its CRD installed?\n",
                 resource.ToString().c_str());
    co_return ExitCode::kUnknownResource;
  }
  if (!(*known)->namespaced) name_space.clear();
  const kube::ReflectorOptions options{.resource = std::move(resource),
                                       .namespace_ = std::move(name_space),
                                       .label_selector = settings.label_selector,
                                       .field_selector = settings.field_selector,
                                       .metadata_only = !settings.IsJson()};
  const Result<void> probed = co_await Probe(client, options);
  if (!probed) co_return Report(Stage::kRequest, probed.error());

  WatchPrinter printer(process.executor, process.clock,
                       {.json = settings.IsJson(), .once = settings.once}, stdout, stderr);
  kube::Reflector reflector(client, process.clock, process.random, process.log.For("watch"),
                            options, printer);
  TaskGroup tasks(process.executor);
  tasks.Spawn([&] { return reflector.Run(); });
  co_await printer.WaitDone();
  tasks.Cancel();
  co_await tasks.Join();
  const std::optional<Error> problem = printer.problem();
  if (problem) co_return Report(Stage::kOutput, *problem);
  // Half an answer is none to a script.
  co_return settings.once && !printer.listed() ? ExitCode::kFailed : ExitCode::kOk;
}

ExitCode RunWatch(const GlobalOptions& global, const WatchSettings& settings) {
  const auto options = global.ForProcess();
  if (!options) return Report(Stage::kUsage, options.error());
  const auto resource = kube::ParseGroupVersionResource(settings.resource);
  if (!resource) return Report(Stage::kUsage, resource.error());
  return RunProcess(
      *options, [&](Process process) { return Watch(std::move(process), settings, *resource); });
}

}  // namespace

void AddWatchCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command =
      app.add_subcommand("watch", "Follow the objects of a kind, in any Kubernetes cluster");
  auto settings = std::make_shared<WatchSettings>();
  command
      ->add_option("RESOURCE", settings->resource,
                   "GROUP/VERSION/RESOURCE, plural: v1/nodes, apps/v1/deployments")
      ->required();
  settings->cluster.AddTo(*command);
  command->add_option("-l,--selector", settings->label_selector, "Label selector: a=b,c!=d");
  command->add_option("--field-selector", settings->field_selector,
                      "Field selector: metadata.name=x");
  command->add_option("-o,--output", settings->output, "text, or json for whole objects")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("--once", settings->once, "Print what is there and end");
  command->footer(R"(
examples:
  millwright watch v1/nodes
  millwright watch v1/pods -n kube-system -l app=dns
  millwright watch cluster.x-k8s.io/v1beta2/machines -A -o json)");
  command->callback([&global, &run, settings] {
    run = [&global, settings] { return RunWatch(global, *settings); };
  });
}

}  // namespace millwright::cli
