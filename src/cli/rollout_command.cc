#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstdio>

#include "base/task_group.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/rollout_words.h"
#include "cli/session.h"
#include "kube/api/json_text.h"
#include "kube/informer/informer.h"
#include "kube/yaml/yaml.h"

namespace millwright::cli {

namespace {

using dialects::DeploymentRecord;

struct RolloutSettings {
  SessionOptions session;
  std::string name;
  std::int64_t revision = 0;
  std::string timeout = "0s";
  bool watch = true;
};

// What one of the subcommands does.
using Verb = Task<ExitCode> (*)(Process process, Session& session, const RolloutSettings& settings);

// kubectl takes "deployment/workers" as well as "workers".
std::string NameIn(const std::string& written) { return written.substr(written.rfind('/') + 1); }

ExitCode Refuse(std::string_view message) {
  std::fprintf(stderr, "error: %.*s\n", static_cast<int>(message.size()), message.data());
  return ExitCode::kFailed;
}

// "machinedeployment.machine.sapcloud.io/workers", as kubectl names what it changed.
std::string FullName(const Session& session, const std::string& name) {
  const dialects::Kind& kind = session.viewer->kinds().machines.deployment;
  return fmt::format("{}.{}/{}",
                     kind.resource.resource.substr(0, kind.resource.resource.size() - 1),
                     kind.resource.group, name);
}

std::string Noun(const Session& session) {
  const std::string& plural = session.viewer->kinds().machines.deployment.resource.resource;
  return plural.substr(0, plural.size() - 1);
}

Task<Result<DeploymentRecord>> ReadOne(Session& session, std::string name) {
  const auto& resource = session.viewer->kinds().machines.deployment.resource;
  CO_TRY(const kube::Document document,
         co_await session.client().Get(resource, {session.name_space, std::move(name)}));
  simdjson::ondemand::parser parser;
  const simdjson::padded_string text(document.text());
  simdjson::ondemand::document parsed;
  if (const auto code = parser.iterate(text).get(parsed)) co_return Failure(kube::JsonError(code));
  kube::JsonObject object;
  if (const auto code = parsed.get_object().get(object)) co_return Failure(kube::JsonError(code));
  co_return session.viewer->ReadDeployment(object);
}

Task<ExitCode> Change(Session& session, std::string name, boost::json::object patch,
                      std::string_view done) {
  const auto written = co_await session.client().Patch(
      session.viewer->kinds().machines.deployment.resource, {session.name_space, name},
      kube::PatchKind::kMerge, boost::json::serialize(patch));
  if (!written) co_return Report(Stage::kRequest, written.error());
  fmt::print("{} {}\n", FullName(session, name), done);
  co_return ExitCode::kOk;
}

// ---- status

struct StatusWait {
  const RolloutSettings& settings;
  std::string noun;
  std::string shown = {};

  // None: it goes on.
  std::optional<ExitCode> Look(const DeploymentRecord& deployment) {
    const RolloutLook look = LookAtRollout(deployment, noun, settings.revision);
    if (look.outcome == RolloutLook::Outcome::kFailed) return Refuse(look.text);
    if (look.text != shown) {
      fmt::print("{}\n", look.text);
      std::fflush(stdout);
      shown = look.text;
    }
    const bool ends = look.outcome == RolloutLook::Outcome::kDone || !settings.watch;
    return ends ? std::optional(ExitCode::kOk) : std::nullopt;
  }
};

Task<ExitCode> Follow(Process& process, kube::Informer<DeploymentRecord>& informer, Signal& changed,
                      StatusWait wait, kube::ObjectKey key, SteadyTime deadline) {
  bool was_there = false;
  while (true) {
    const DeploymentRecord* deployment = informer.store().Find(key);
    if (deployment != nullptr) {
      was_there = true;
      if (const auto code = wait.Look(*deployment)) co_return *code;
    } else if (was_there) {
      co_return Refuse("object has been deleted");
    }
    switch (co_await changed.WaitUntil(process.clock, deadline)) {
      case Wake::kDone: break;
      case Wake::kTimeout: co_return Refuse("timed out waiting for the condition");
      case Wake::kCancelled: co_return ExitCode::kFailed;
    }
  }
}

Task<ExitCode> Status(Process process, Session& session, const RolloutSettings& settings) {
  const std::string name = NameIn(settings.name);
  const auto limit = ParseDuration(settings.timeout);
  if (!limit) co_return Report(Stage::kUsage, limit.error());
  // The first look tells what is wrong, if anything is; a watch would try again for ever.
  const auto first = co_await ReadOne(session, name);
  if (!first) co_return Report(Stage::kRequest, first.error());
  StatusWait wait{.settings = settings, .noun = Noun(session)};
  if (const auto code = wait.Look(*first)) co_return *code;

  Signal changed(process.executor);
  kube::Informer<DeploymentRecord> informer(
      process.executor, session.client(), process.clock, process.random, process.log.For("rollout"),
      {.resource = session.viewer->kinds().machines.deployment.resource,
       .namespace_ = session.name_space,
       .field_selector = "metadata.name=" + name},
      [&](kube::JsonObject object) { return session.viewer->ReadDeployment(object); });
  informer.OnChange([&](const DeploymentRecord*, const DeploymentRecord*) { changed.NotifyAll(); });
  TaskGroup tasks(process.executor);
  tasks.Spawn([&] { return informer.Run(); });
  const SteadyTime deadline = *limit > Duration{} ? process.clock.Elapsed() + *limit : kNever;
  const ExitCode code = co_await Follow(process, informer, changed, std::move(wait),
                                        {session.name_space, name}, deadline);
  tasks.Cancel();
  co_await tasks.Join();
  co_return code;
}

// ---- history and undo

Task<std::expected<Past, ExitCode>> ReadPast(Session& session, std::string name) {
  const auto found = co_await ReadOne(session, name);
  if (!found) co_return std::unexpected(Report(Stage::kRequest, found.error()));
  const auto picture =
      co_await session.viewer->Look(session.client(), session.name_space, /*closely=*/false);
  if (!picture) co_return std::unexpected(Report(Stage::kRequest, picture.error()));
  auto past = (*picture)->PastOf(name);
  if (!past) co_return std::unexpected(Refuse(name + " is gone"));
  co_return *std::move(past);
}

Task<ExitCode> History(Process, Session& session, const RolloutSettings& settings) {
  const std::string name = NameIn(settings.name);
  const auto past = co_await ReadPast(session, name);
  if (!past) co_return past.error();
  if (settings.revision == 0) {
    fmt::print("{}\n{}", FullName(session, name), HistoryText(past->revisions));
    co_return ExitCode::kOk;
  }
  for (const Revision& revision : past->revisions) {
    if (revision.number != settings.revision) continue;
    const auto tree = kube::ParseJson(revision.template_text);
    if (!tree) co_return Report(Stage::kOutput, tree.error());
    fmt::print("{} with revision #{}\n{}", FullName(session, name), revision.number,
               kube::ToYaml(*tree));
    co_return ExitCode::kOk;
  }
  co_return Refuse("unable to find the specified revision");
}

Task<ExitCode> Undo(Process, Session& session, const RolloutSettings& settings) {
  const std::string name = NameIn(settings.name);
  const auto past = co_await ReadPast(session, name);
  if (!past) co_return past.error();
  const auto plan = PlanUndo(past->deployment, past->revisions, settings.revision);
  if (!plan) co_return Refuse(plan.error().message());
  if (plan->needless) {
    fmt::print("{} skipped rollback (current template already matches revision {})\n",
               FullName(session, name), plan->revision);
    co_return ExitCode::kOk;
  }
  const auto target = std::ranges::find(past->revisions, plan->revision, &Revision::number);
  const auto patch = session.viewer->UndoPatch(*past, *target);
  if (!patch) co_return Report(Stage::kOutput, patch.error());
  co_return co_await Change(session, name, *patch, "rolled back");
}

// ---- pause, resume, restart

Task<ExitCode> SetPaused(Session& session, std::string name, bool paused) {
  const auto deployment = co_await ReadOne(session, name);
  if (!deployment) co_return Report(Stage::kRequest, deployment.error());
  if (deployment->core.paused == paused) {
    const dialects::Kind& kind = session.viewer->kinds().machines.deployment;
    co_return Refuse(fmt::format("{}.{} \"{}\" is {}", kind.resource.resource, kind.resource.group,
                                 name, paused ? "already paused" : "not paused"));
  }
  co_return co_await Change(session, name, PausePatch(paused), paused ? "paused" : "resumed");
}

Task<ExitCode> Pause(Process, Session& session, const RolloutSettings& settings) {
  co_return co_await SetPaused(session, NameIn(settings.name), true);
}

Task<ExitCode> Resume(Process, Session& session, const RolloutSettings& settings) {
  co_return co_await SetPaused(session, NameIn(settings.name), false);
}

Task<ExitCode> Restart(Process process, Session& session, const RolloutSettings& settings) {
  const std::string name = NameIn(settings.name);
  const auto deployment = co_await ReadOne(session, name);
  if (!deployment) co_return Report(Stage::kRequest, deployment.error());
  if (deployment->core.paused) {
    co_return Refuse(fmt::format("can't restart paused deployment (run rollout resume first): {}",
                                 FullName(session, name)));
  }
  co_return co_await Change(session, name, session.viewer->RestartPatch(process.clock.Now()),
                            "restarted");
}

Task<ExitCode> WithSession(Process process, const RolloutSettings& settings, Verb verb) {
  auto session = co_await OpenSession(process, settings.session);
  if (!session) co_return session.error();
  if (session->name_space.empty()) co_return Refuse("name one namespace with -n");
  co_return co_await verb(process, *session, settings);
}

std::shared_ptr<RolloutSettings> AddVerb(CLI::App& rollout, CLI::App*& command, std::string name,
                                         std::string help, Verb verb, const GlobalOptions& global,
                                         Run& run) {
  command = rollout.add_subcommand(std::move(name), std::move(help));
  auto settings = std::make_shared<RolloutSettings>();
  command->add_option("DEPLOYMENT", settings->name, "Its name, or KIND/NAME")->required();
  settings->session.AddTo(*command);
  command->callback([&global, &run, settings, verb] {
    run = [&global, settings, verb] {
      const auto options = QuietProcess(global);
      if (!options) return Report(Stage::kUsage, options.error());
      return RunProcess(*options, [&](Process process) {
        return WithSession(std::move(process), *settings, verb);
      });
    };
  });
  return settings;
}

}  // namespace

void AddRolloutCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* rollout = app.add_subcommand(
      "rollout", "Follow, stop and undo changes of machine deployments, in kubectl's words");
  rollout->require_subcommand(1);
  rollout->footer(R"(
examples:
  millwright rollout status workers --timeout 10m
  millwright rollout history workers
  millwright rollout undo workers --to-revision 2
  millwright rollout restart workers

As with kubectl, everything that goes wrong ends with exit code 1 or more.)");
  CLI::App* command = nullptr;
  auto status = AddVerb(*rollout, command, "status",
                        "Wait until a rollout is done; fails when its deadline has passed", Status,
                        global, run);
  command->add_option("--timeout", status->timeout, "Wait no longer (0s: for ever)")
      ->capture_default_str();
  command->add_option("--revision", status->revision, "Fail if another revision is rolled out");
  command->add_flag("-w,--watch,!--no-watch", status->watch, "Wait (default)");
  command->footer("example: millwright rollout status workers --timeout 10m");
  auto history =
      AddVerb(*rollout, command, "history", "List revisions, or show one", History, global, run);
  command->add_option("--revision", history->revision, "Show the template of this one");
  command->footer("example: millwright rollout history workers --revision 2");
  auto undo =
      AddVerb(*rollout, command, "undo", "Go back to an earlier revision", Undo, global, run);
  command->add_option("--to-revision", undo->revision, "That one (0: the one before)");
  command->footer("example: millwright rollout undo workers --to-revision 2");
  AddVerb(*rollout, command, "pause", "Roll out no changes until it is resumed", Pause, global,
          run);
  command->footer("example: millwright rollout pause workers");
  AddVerb(*rollout, command, "resume", "Roll out changes again", Resume, global, run);
  command->footer("example: millwright rollout resume workers");
  AddVerb(*rollout, command, "restart", "Replace all machines, as fast as the strategy allows",
          Restart, global, run);
  command->footer("example: millwright rollout restart workers");
}

}  // namespace millwright::cli
