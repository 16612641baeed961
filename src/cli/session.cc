#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/dialects.h"
#include "cli/failure.h"
#include "cli/list_all.h"
#include "cli/patience.h"

namespace millwright::cli {

namespace {

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};
const kube::GroupVersionResource kSecrets{"", "v1", "secrets"};

using Chosen = std::unique_ptr<Viewer>;

// The one that was asked for, or the first whose kinds this server has.
Task<std::expected<Chosen, ExitCode>> ChooseDialect(kube::Connection& connection,
                                                    std::string wanted) {
  if (wanted != "auto") {
    const auto entry = FindDialect(wanted);
    if (!entry) co_return std::unexpected(Report(Stage::kUsage, entry.error()));
    co_return (*entry)->view();
  }
  for (const DialectEntry& entry : Dialects()) {
    Chosen viewer = entry.view();
    const auto known =
        co_await connection.discovery().Find(viewer->kinds().machines.deployment.resource);
    if (!known) co_return std::unexpected(Report(Stage::kRequest, known.error()));
    if (*known) co_return viewer;
  }
  std::string names;
  for (const DialectEntry& entry : Dialects()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  fmt::print(stderr,
             "millwright: this server knows no machines of a dialect of ours ({}): install its "
             "definitions with \"millwright crds\"\n",
             names);
  co_return std::unexpected(ExitCode::kUnknownResource);
}

Task<void> LookForSecrets(kube::Client& client, Seen& seen) {
  for (const dialects::ClassRecord& of : seen.classes) {
    for (const kube::ObjectKey& key : of.secrets) {
      const auto found = co_await client.Find(kSecrets, key);
      // Who may not read secrets learns nothing about them, and the rest is shown.
      if (found && !*found) seen.missing_secrets.push_back(key);
    }
  }
}

}  // namespace

void SessionOptions::AddTo(CLI::App& command) {
  cluster.AddTo(command);
  command
      .add_option("--dialect", dialect,
                  "Whose machines: auto takes the one whose definitions the server has")
      ->capture_default_str();
}

Task<std::expected<Session, ExitCode>> OpenSession(Process process, SessionOptions options) {
  auto config = kube::LoadClientConfig(options.cluster.load, kube::SurroundingsOfThisProcess());
  if (!config) co_return std::unexpected(Report(Stage::kKubeconfig, config.error()));
  Session session;
  session.name_space = options.cluster.name_space;
  if (session.name_space.empty() && !options.cluster.all_namespaces) {
    session.name_space = config->name_space.empty() ? "default" : config->name_space;
  }
  auto connection = co_await kube::Connection::Open(process.executor, process.clock,
                                                    *std::move(config), {.retry = kPatience});
  if (!connection) co_return std::unexpected(Report(Stage::kConnecting, connection.error()));
  session.connection = *std::move(connection);
  auto viewer = co_await ChooseDialect(*session.connection, options.dialect);
  if (!viewer) co_return std::unexpected(viewer.error());
  session.viewer = *std::move(viewer);
  co_return session;
}

Task<Result<Seen>> ReadSeen(kube::Client& client, dialects::Dialect& dialect,
                            std::string name_space, bool with_secrets) {
  const dialects::Kinds& kinds = dialect.kinds();
  Seen seen;
  CO_CHECK(co_await ListAll<dialects::DeploymentRecord>(
      client, kinds.deployment.resource, name_space,
      [&](kube::JsonObject object) { return dialect.ReadDeployment(object); }, seen.deployments));
  CO_CHECK(co_await ListAll<dialects::SetRecord>(
      client, kinds.set.resource, name_space,
      [&](kube::JsonObject object) { return dialect.ReadSet(object); }, seen.sets));
  CO_CHECK(co_await ListAll<dialects::MachineRecord>(
      client, kinds.machine.resource, name_space,
      [&](kube::JsonObject object) { return dialect.ReadMachine(object); }, seen.machines));
  const auto classes = co_await ListAll<dialects::ClassRecord>(
      client, kinds.machine_class.resource, name_space,
      [&](kube::JsonObject object) { return dialect.ReadClass(object); }, seen.classes);
  seen.classes_known = classes.has_value();
  const auto nodes = co_await ListAll<dialects::NodeRecord>(
      client, kNodes, "", [](kube::JsonObject object) { return dialects::ReadNode(object); },
      seen.nodes);
  seen.nodes_known = nodes.has_value();
  if (with_secrets) co_await LookForSecrets(client, seen);
  seen.Sort();
  co_return seen;
}

ExitCode NoSuchKind(std::string_view written) {
  return Report(Stage::kUsage,
                Error(ErrorKind::kInvalid,
                      fmt::format("the dialect of this server has no kind '{}'", written)));
}

Result<ProcessOptions> QuietProcess(const GlobalOptions& global) {
  GlobalOptions quiet = global;
  if (quiet.log_levels == GlobalOptions().log_levels) quiet.log_levels = "warning";
  return quiet.ForProcess();
}

}  // namespace millwright::cli
