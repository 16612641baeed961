#include <unistd.h>

#include <boost/json.hpp>

#include <cstdio>

#include "base/task_group.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/process.h"
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
};

// Prints what it is told: a line for each change, with what happened, which object and its version.
class Printer final : public kube::ReflectorSink {
 public:
  Printer(const Executor& executor, Clock& clock, bool json, bool once)
      : clock_(clock), json_(json), once_(once), listed_signal_(executor) {}

  void BeginList() override {}
  void EndList(const kube::ResourceVersion& version) override {
    listed_ = true;
    if (!once_ && !json_) {
      std::fprintf(stderr, "-- %zu so far, at version %s; watching (Ctrl-C ends)\n", printed_,
                   version.str().c_str());
    }
    std::fflush(stdout);
    listed_signal_.NotifyAll();
  }
  Result<kube::ResourceVersion> Upsert(kube::JsonObject object) override {
    return Print(listed_ ? "CHANGED" : "THERE", object);
  }
  Result<kube::ResourceVersion> Remove(kube::JsonObject object) override {
    return Print("GONE", object);
  }
  void Progress(const kube::ResourceVersion&) override {}

  // Until the state as it is has been printed.
  Task<void> WaitListed() {
    while (!listed_) {
      if (co_await listed_signal_.Wait() == Wake::kCancelled) co_return;
    }
  }

 private:
  Result<kube::ResourceVersion> Print(const char* what, kube::JsonObject object) {
    kube::Meta meta;
    std::string_view raw;
    if (const auto code = object.raw_json().get(raw)) return Failure(kube::JsonError(code));
    std::string text(raw);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    TRY(meta, kube::ReadObjectMeta(text));
    ++printed_;
    if (json_) {
      std::printf(R"({"event":"%s","object":%s})"
                  "\n",
                  what, text.c_str());
    } else {
      if (printed_ == 1) std::printf("%-21s %-8s %-12s %s\n", "TIME", "EVENT", "VERSION", "OBJECT");
      std::printf("%-21s %-8s %-12s %s\n", FormatTime(clock_.Now()).c_str(), what,
                  meta.resource_version.str().c_str(), meta.key.ToString().c_str());
    }
    if (listed_) std::fflush(stdout);
    return meta.resource_version;
  }

  Clock& clock_;
  const bool json_;
  const bool once_;
  std::size_t printed_ = 0;
  bool listed_ = false;
  Signal listed_signal_;
};

// The first request tells what is wrong, if anything is; the reflector would try again for ever.
Task<Result<void>> Probe(kube::Client& client, const kube::GroupVersionResource& resource,
                         std::string name_space) {
  CO_CHECK(co_await client.List(resource, {.namespace_ = std::move(name_space), .limit = 1}));
  co_return Ok();
}

Task<ExitCode> Watch(Process process, const WatchSettings& settings,
                     kube::GroupVersionResource resource) {
  auto config = kube::LoadClientConfig(settings.cluster.load, kube::SurroundingsOfThisProcess());
  if (!config) co_return Report(Stage::kKubeconfig, config.error());
  std::string name_space = settings.cluster.name_space;
  if (name_space.empty() && !settings.cluster.all_namespaces) name_space = config->name_space;

  auto connection =
      co_await kube::Connection::Open(process.executor, process.clock, *std::move(config));
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
  const Result<void> probed = co_await Probe(client, resource, name_space);
  if (!probed) co_return Report(Stage::kRequest, probed.error());

  Printer printer(process.executor, process.clock, settings.output == "json", settings.once);
  kube::Reflector reflector(client, process.clock, process.random, process.log.For("watch"),
                            {.resource = std::move(resource),
                             .namespace_ = std::move(name_space),
                             .label_selector = settings.label_selector,
                             .field_selector = settings.field_selector,
                             .metadata_only = settings.output != "json"},
                            printer);
  TaskGroup tasks(process.executor);
  tasks.Spawn([&] { return reflector.Run(); });
  if (settings.once) {
    co_await printer.WaitListed();
  } else {
    co_await UntilCancelled();
  }
  tasks.Cancel();
  co_await tasks.Join();
  co_return ExitCode::kOk;
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
