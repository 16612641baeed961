#include "cli/commands.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "cli/command_words.h"
#include "cli/completion.h"
#include "cli/version.h"

namespace millwright::cli {

namespace {

constexpr AddCommand kCommands[] = {AddStandaloneCommand, AddControllerCommand, AddNodeAgentCommand,
                                    AddTreeCommand,       AddGetCommand,        AddDescribeCommand,
                                    AddRolloutCommand,    AddWatchCommand,      AddCrdsCommand,
                                    AddCompletionCommand, AddVersionCommand};

constexpr const char* kDescription =
    "Millwright: machines for Kubernetes, declared, made, kept healthy and taken down.";

constexpr const char* kFooter = R"(
examples:
  millwright standalone                         a Kubernetes API on this computer, nothing else needed
  millwright controller --dialect gardener      controllers for the machines of the current cluster
  millwright tree -w                            machines and their nodes, as they change
  millwright describe machine m-1               why is it not ready, or not gone
  millwright rollout status workers             wait until a change is rolled out
  millwright watch v1/nodes                     follow the nodes of the current cluster
  millwright watch apps/v1/deployments -A       in all namespaces
  millwright watch v1/nodes --once -o json      the nodes as they are now, a line each
  source <(millwright completion bash)          complete commands and flags

"millwright COMMAND --help" says more about a command. Exit codes: docs/exit-codes.md.)";

// CLI11's own codes are many; scripts need one for "wrong usage".
int ExitFor(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !unknown.empty()) {
    // CLI11 would only say that a command is missing.
    std::fprintf(stderr, "millwright: no command '%s': millwright --help lists them\n",
                 unknown.front().c_str());
    return static_cast<int>(ExitCode::kUsage);
  }
  const int code = app.exit(error);
  return code == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
}

}  // namespace

void AddCompletionCommand(CLI::App& app, const GlobalOptions&, Run& run) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer("example: source <(millwright completion bash)");
  command->callback([&app, &run, shell] {
    run = [&app, shell] {
      const Result<std::string> script = CompletionScript(app, *shell);
      if (!script) {
        std::fprintf(stderr, "millwright: %s\n", script.error().message().c_str());
        return ExitCode::kUsage;
      }
      std::fputs(script->c_str(), stdout);
      return ExitCode::kOk;
    };
  });
}

void AddVersionCommand(CLI::App& app, const GlobalOptions&, Run& run) {
  CLI::App* command = app.add_subcommand("version", "Print the version");
  command->callback([&run] {
    run = [] {
      std::puts(VersionText().c_str());
      return ExitCode::kOk;
    };
  });
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "millwright");
  app.footer(kFooter);
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  GlobalOptions global;
  global.AddTo(app);
  Run run;
  for (const AddCommand add : kCommands) add(app, global, run);
  if (argc == 1 && CommandWords({argv, 1}).empty()) {
    std::fputs(app.help().c_str(), stdout);
    return static_cast<int>(ExitCode::kUsage);
  }
  try {
    std::vector<std::string> words =
        CommandWords(std::span<const char* const>(argv, static_cast<std::size_t>(argc)));
    std::ranges::reverse(words);  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return ExitFor(app, error);
  }
  return static_cast<int>(run());
}

}  // namespace millwright::cli
