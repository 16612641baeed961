#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/machine_kind.h"
#include "cli/server_table.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "kube/api/status.h"

namespace millwright::cli {

namespace {

struct GetSettings {
  SessionOptions session;
  std::string kind;
  std::string name;
  std::string output = "plain";
};

Task<Result<std::string>> Ask(kube::Connection& connection, net::HttpRequest request, bool table) {
  if (table) request.headers.Set("Accept", std::string(kTableAccept));
  CO_TRY(const net::HttpResponse response, co_await connection.http().Send(std::move(request)));
  if (response.status != 200) {
    co_return Failure(kube::ErrorFrom(response.status, response.body));
  }
  co_return response.body;
}

Task<ExitCode> Get(Process process, const GetSettings& settings, MachineKind kind) {
  auto session = co_await OpenSession(process, settings.session);
  if (!session) co_return session.error();
  const dialects::Kind& asked = KindOf(session->viewer->kinds(), kind);
  if (asked.kind.kind.empty()) co_return NoSuchKind(settings.kind);
  const bool json = settings.output == "json";
  const std::string selector = settings.name.empty() ? "" : "metadata.name=" + settings.name;
  const auto answer = co_await Ask(
      *session->connection,
      kube::ListRequest(asked.resource,
                        {.namespace_ = session->name_space, .field_selector = selector}),
      !json);
  if (!answer) co_return Report(Stage::kRequest, answer.error());
  if (json) {
    fmt::print("{}\n", *answer);
    co_return ExitCode::kOk;
  }
  const auto rows = ReadServerTable(
      *answer, {.wide = settings.output == "wide", .namespaces = session->name_space.empty()},
      process.clock.Now());
  if (!rows) co_return Report(Stage::kOutput, rows.error());
  if (rows->size() == 1 && !settings.name.empty()) {
    fmt::print(stderr, "millwright: no {} {}\n", asked.kind.kind, settings.name);
    co_return ExitCode::kFailed;
  }
  if (rows->size() == 1) {
    fmt::print(stderr, "No resources found{}.\n",
               session->name_space.empty() ? "" : " in " + session->name_space + " namespace");
    co_return ExitCode::kOk;
  }
  fmt::print("{}", RenderTable(*rows, {}));
  co_return ExitCode::kOk;
}

}  // namespace

void AddGetCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command =
      app.add_subcommand("get", "List machines, sets, deployments, classes or clusters");
  auto settings = std::make_shared<GetSettings>();
  command->add_option("KIND", settings->kind, "machines, sets, deployments, classes or clusters")
      ->required();
  command->add_option("NAME", settings->name, "Only this one");
  settings->session.AddTo(*command);
  command->add_option("-o,--output", settings->output, "plain, wide or json")
      ->check(CLI::IsMember({"plain", "wide", "json"}))
      ->capture_default_str();
  command->footer(R"(
examples:
  millwright get machines
  millwright get deployments -A
  millwright get machines -o wide
The columns are those that kubectl shows.)");
  command->callback([&global, &run, settings] {
    run = [&global, settings] {
      const auto options = QuietProcess(global);
      if (!options) return Report(Stage::kUsage, options.error());
      const auto kind = ParseMachineKind(settings->kind);
      if (!kind) return Report(Stage::kUsage, kind.error());
      return RunProcess(*options,
                        [&](Process process) { return Get(std::move(process), *settings, *kind); });
    };
  });
}

}  // namespace millwright::cli
