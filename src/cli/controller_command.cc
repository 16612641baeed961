#include <unistd.h>

#include <array>
#include <cstdio>

#include "cli/commands.h"
#include "cli/controller_run.h"
#include "cli/failure.h"

namespace millwright::cli {

namespace {

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

ExitCode Control(const GlobalOptions& global, const std::vector<std::string>& words) {
  const auto options = global.ForProcess();
  if (!options) return Report(Stage::kUsage, options.error());
  const auto flags = ReadControllerFlags(words);
  if (!flags) return Report(Stage::kUsage, flags.error());
  if (flags->help) {
    std::fputs(ControllerHelp(*flags).c_str(), stdout);
    return ExitCode::kOk;
  }
  const auto plan = flags->dialect->controller.plan(flags->loops, flags->of_dialect, HostName());
  if (!plan) return Report(Stage::kUsage, plan.error());
  return RunProcess(
      *options, [&](Process process) { return RunController(std::move(process), *flags, *plan); });
}

}  // namespace

void AddControllerCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command =
      app.add_subcommand("controller", "Machine controllers for a cluster that exists");
  auto words = std::make_shared<std::vector<std::string>>();
  // The dialect knows its flags; command_words.h makes sure that they arrive here untouched.
  command->add_option("FLAGS", *words, "millwright controller --help lists them");
  command->callback(
      [&global, &run, words] { run = [&global, words] { return Control(global, *words); }; });
}

}  // namespace millwright::cli
