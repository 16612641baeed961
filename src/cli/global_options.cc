#include "cli/global_options.h"

namespace millwright::cli {

void GlobalOptions::AddTo(CLI::App& app) {
  app.add_option("--log", log_levels,
                 "What to log: debug, info, warning or error, and by module: info,kube=debug")
      ->capture_default_str();
  app.add_option("--log-format", log_format, "text for people, json for collectors")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

Result<ProcessOptions> GlobalOptions::ForProcess() const {
  ProcessOptions options;
  TRY(options.log_levels, ParseLevels(log_levels));
  options.log_json = log_format == "json";
  return options;
}

void ClusterOptions::AddTo(CLI::App& command) {
  command.add_option("--kubeconfig", load.kubeconfig,
                     "Kubeconfig file (default: $KUBECONFIG, the pod's account, ~/.kube/config)");
  command.add_option("--context", load.context,
                     "Context in the kubeconfig (default: the current one)");
  CLI::Option* one =
      command.add_option("-n,--namespace", name_space, "Namespace (default: the context's)");
  command.add_flag("-A,--all-namespaces", all_namespaces, "All namespaces")->excludes(one);
}

}  // namespace millwright::cli
