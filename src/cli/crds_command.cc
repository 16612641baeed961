#include <cstdio>

#include "cli/commands.h"
#include "cli/dialects.h"
#include "kube/yaml/yaml.h"

namespace millwright::cli {

namespace {

ExitCode PrintCrds(const std::string& dialect) {
  for (const DialectEntry& entry : Dialects()) {
    if (!dialect.empty() && dialect != entry.name) continue;
    for (const boost::json::object& crd : entry.crds()) {
      std::printf("---\n%s", kube::ToYaml(crd).c_str());
    }
  }
  return std::fflush(stdout) == 0 ? ExitCode::kOk : ExitCode::kFailed;
}

}  // namespace

void AddCrdsCommand(CLI::App& app, const GlobalOptions&, Run& run) {
  CLI::App* command =
      app.add_subcommand("crds", "Print the CustomResourceDefinitions that a cluster needs");
  auto dialect = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const DialectEntry& entry : Dialects()) names.emplace_back(entry.name);
  command->add_option("--dialect", *dialect, "Whose kinds; without it, all")
      ->check(CLI::IsMember(names));
  command->footer("example: millwright crds --dialect gardener | kubectl apply -f -");
  command->callback([&run, dialect] { run = [dialect] { return PrintCrds(*dialect); }; });
}

}  // namespace millwright::cli
