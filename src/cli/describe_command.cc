#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/describe_view.h"
#include "cli/failure.h"
#include "cli/machine_kind.h"
#include "cli/session.h"
#include "cli/terminal.h"

namespace millwright::cli {

namespace {

struct DescribeSettings {
  SessionOptions session;
  std::string kind;
  std::string name;
  bool ascii = false;
};

const kube::GroupVersionResource kEvents{"", "v1", "events"};
constexpr std::size_t kMostEvents = 10;

// Events may be forbidden or gone; the rest is still worth showing.
Task<std::vector<EventLine>> EventsOf(kube::Client& client, kube::Meta meta, std::string kind) {
  const auto list = co_await client.List(
      kEvents, {.namespace_ = meta.key.namespace_,
                .field_selector = fmt::format("involvedObject.name={},involvedObject.kind={}",
                                              meta.key.name, kind)});
  if (!list) co_return std::vector<EventLine>();
  auto events = ReadEvents(*list, kMostEvents);
  co_return events ? *std::move(events) : std::vector<EventLine>();
}

Task<ExitCode> DescribeOne(Process process, const DescribeSettings& settings, MachineKind kind) {
  auto session = co_await OpenSession(process, settings.session);
  if (!session) co_return session.error();
  const std::string& word = KindOf(session->viewer->kinds(), kind).kind.kind;
  if (word.empty()) co_return NoSuchKind(settings.kind);
  const auto seen =
      co_await session->viewer->Look(session->client(), session->name_space, /*closely=*/true);
  if (!seen) co_return Report(Stage::kRequest, seen.error());
  const WallTime now = process.clock.Now();
  auto found = (*seen)->Describe(kind, settings.name, now);
  if (!found) {
    fmt::print(stderr, "millwright: no {} {} in {}\n", word, settings.name,
               session->name_space.empty() ? "any namespace" : "namespace " + session->name_space);
    co_return ExitCode::kFailed;
  }
  found->description.events = co_await EventsOf(session->client(), found->meta, word);
  const Terminal terminal = Terminal::OfStdout();
  const TreeStyle style{.box_lines = terminal.box_lines && !settings.ascii,
                        .table = {.colour = terminal.colour, .width = terminal.width}};
  fmt::print("{}", RenderDescription(found->description, style, now));
  co_return std::fflush(stdout) == 0 ? ExitCode::kOk : ExitCode::kFailed;
}

}  // namespace

void AddDescribeCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command = app.add_subcommand(
      "describe",
      "Say why a machine, set, deployment or cluster is not ready, not scaled or not gone");
  auto settings = std::make_shared<DescribeSettings>();
  command->add_option("KIND", settings->kind, "machine, set, deployment or cluster")->required();
  command->add_option("NAME", settings->name, "Its name; KIND/NAME will do, too");
  settings->session.AddTo(*command);
  command->add_flag("--ascii", settings->ascii, "Draw lines with ASCII only");
  command->footer(R"(
examples:
  millwright describe deployment workers
  millwright describe machine workers-b4745-8wf9v -n prod)");
  command->callback([&global, &run, settings] {
    run = [&global, settings] {
      const auto options = QuietProcess(global);
      if (!options) return Report(Stage::kUsage, options.error());
      const auto slash = settings->kind.find('/');
      if (settings->name.empty() && slash != std::string::npos) {
        settings->name = settings->kind.substr(slash + 1);
        settings->kind.resize(slash);
      }
      if (settings->name.empty()) {
        return Report(Stage::kUsage, Error(ErrorKind::kInvalid, "describe needs a NAME"));
      }
      auto kind = ParseMachineKind(settings->kind);
      if (kind && *kind == MachineKind::kClass) {
        kind = Fail(ErrorKind::kInvalid, "classes are described by kubectl");
      }
      if (!kind) return Report(Stage::kUsage, kind.error());
      return RunProcess(*options, [&](Process process) {
        return DescribeOne(std::move(process), *settings, *kind);
      });
    };
  });
}

}  // namespace millwright::cli
