#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include <cstdio>

#include "base/task_group.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/tree_view.h"

namespace millwright::cli {

namespace {

using namespace std::chrono_literals;

struct TreeSettings {
  SessionOptions session;
  std::string name;
  std::string output = "plain";
  bool watch = false;
  bool ascii = false;
};

// Changes come in bursts; one picture of each is enough.
constexpr Duration kGather = 100ms;
// Ages grow although nothing changes.
constexpr Duration kRefresh = 5s;

constexpr std::string_view kClearScreen = "\x1b[H\x1b[2J";

class TreePrinter {
 public:
  TreePrinter(const TreeSettings& settings, bool namespaces)
      : settings_(settings),
        terminal_(Terminal::OfStdout()),
        style_{.box_lines = terminal_.box_lines && !settings.ascii,
               .wide = settings.output == "wide",
               .namespaces = namespaces,
               // Who wants all of it wants long lines, too.
               .table = {.colour = terminal_.colour,
                         .width = settings.output == "wide" ? 0 : terminal_.width}} {}

  bool redraws() const { return terminal_.is_terminal && settings_.output != "json"; }

  // The picture; none: there is nothing of the name that was asked for.
  std::optional<std::string> Draw(const Picture& picture, WallTime now) const {
    std::vector<TreeItem> items;
    if (settings_.name.empty()) {
      items = picture.Forest(style_.wide);
    } else {
      auto item = picture.Tree(settings_.name, style_.wide);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    if (settings_.output == "json") return boost::json::serialize(TreeJson(items)) + "\n";
    if (items.empty()) return std::string("No machines here.\n");
    return RenderTree(items, style_, now);
  }

 private:
  const TreeSettings& settings_;
  const Terminal terminal_;
  const TreeStyle style_;
};

ExitCode NothingNamed(const Session& session, const std::string& name) {
  fmt::print(stderr, "millwright: no machine, set or deployment {} in {}\n", name,
             session.name_space.empty() ? "any namespace" : "namespace " + session.name_space);
  return ExitCode::kFailed;
}

bool Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0;
}

Task<void> DrawChanges(Clock& clock, PictureWatch& watch, const TreePrinter& printer) {
  if (co_await watch.WaitSynced() == Wake::kCancelled) co_return;
  std::string shown;
  while (true) {
    const std::string drawn = printer.Draw(*watch.Now(), clock.Now()).value_or("It is gone.\n");
    if (printer.redraws()) {
      if (!Print(std::string(kClearScreen) + drawn)) co_return;
    } else if (drawn != shown) {
      if (!Print((shown.empty() ? "" : "\n") + drawn)) co_return;
    }
    shown = drawn;
    const SteadyTime deadline = printer.redraws() ? clock.Elapsed() + kRefresh : kNever;
    const Wake why = co_await watch.WaitChanged(deadline);
    if (why == Wake::kCancelled) co_return;
    if (why == Wake::kTimeout) continue;
    if (co_await SleepFor(clock, kGather) == Wake::kCancelled) co_return;
  }
}

Task<ExitCode> Tree(Process process, const TreeSettings& settings) {
  auto session = co_await OpenSession(process, settings.session);
  if (!session) co_return session.error();
  const TreePrinter printer(settings, session->name_space.empty());
  // Also when it is watched: the first request tells what is wrong, if anything is.
  const auto seen =
      co_await session->viewer->Look(session->client(), session->name_space, /*closely=*/false);
  if (!seen) co_return Report(Stage::kRequest, seen.error());
  const auto drawn = printer.Draw(**seen, process.clock.Now());
  if (!drawn) co_return NothingNamed(*session, settings.name);
  if (!settings.watch) co_return Print(*drawn) ? ExitCode::kOk : ExitCode::kFailed;

  const auto watch =
      session->viewer->Follow(process, session->client(), session->name_space, **seen);
  TaskGroup tasks(process.executor);
  tasks.Spawn([&] { return watch->Run(); });
  co_await DrawChanges(process.clock, *watch, printer);
  tasks.Cancel();
  co_await tasks.Join();
  co_return ExitCode::kOk;
}

}  // namespace

void AddTreeCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command =
      app.add_subcommand("tree", "Machines as a tree: deployment, set, machine, instance, node");
  auto settings = std::make_shared<TreeSettings>();
  command->add_option("NAME", settings->name,
                      "Only this deployment, set or machine (default: everything)");
  settings->session.AddTo(*command);
  command->add_flag("-w,--watch", settings->watch, "Draw it again whenever something changes");
  command
      ->add_option("-o,--output", settings->output,
                   "plain; wide with instances, strategies and old sets; or json")
      ->check(CLI::IsMember({"plain", "wide", "json"}))
      ->capture_default_str();
  command->add_flag("--ascii", settings->ascii, "Draw lines with ASCII only");
  command->footer(R"(
examples:
  millwright tree                       all machines of the namespace
  millwright tree workers -w            follow a rollout
  millwright tree -A -o wide            everything there is
  millwright tree workers -o json | jq '.[0].status')");
  command->callback([&global, &run, settings] {
    run = [&global, settings] {
      const auto options = QuietProcess(global);
      if (!options) return Report(Stage::kUsage, options.error());
      return RunProcess(*options,
                        [&](Process process) { return Tree(std::move(process), *settings); });
    };
  });
}

}  // namespace millwright::cli
