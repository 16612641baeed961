#include <cstdio>

#include "agent/state_folder.h"
#include "cli/commands.h"
#include "cli/dialects.h"
#include "cli/failure.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::cli {

namespace {

struct CrdsSettings {
  std::string dialect;
  std::string service;  // NAMESPACE/NAME
  std::string ca_file;
  std::string ca_from;
};

constexpr std::string_view kInjectAuthority = "cert-manager.io/inject-ca-from";

// cert-manager writes the authority into what bears this.
void AskForAuthority(boost::json::object& object, const std::string& certificate) {
  boost::json::value& metadata = object["metadata"];
  boost::json::value& annotations = metadata.as_object()["annotations"];
  if (!annotations.is_object()) annotations.emplace_object();
  annotations.as_object()[kInjectAuthority] = certificate;
}

Result<admission::WebhookPlace> PlaceOf(const CrdsSettings& settings) {
  const auto slash = settings.service.find('/');
  if (slash == settings.service.npos) {
    return Fail(ErrorKind::kInvalid, "--webhook-service: write NAMESPACE/NAME");
  }
  admission::WebhookPlace place{.service_namespace = settings.service.substr(0, slash),
                                .service = settings.service.substr(slash + 1),
                                .url = std::nullopt,
                                .ca = {}};
  if (settings.ca_file.empty()) return place;
  TRY(place.ca, agent::ReadWholeFile(settings.ca_file));
  return place;
}

// Those that name a webhook, with who vouches for it.
Result<std::vector<boost::json::object>> ObjectsOf(const DialectEntry& entry,
                                                   const CrdsSettings& settings) {
  if (settings.service.empty() || entry.webhooks == nullptr) return entry.crds();
  TRY(const admission::WebhookPlace place, PlaceOf(settings));
  std::vector<boost::json::object> objects = entry.webhooks(place);
  if (settings.ca_from.empty()) return objects;
  for (boost::json::object& object : objects) {
    const boost::json::value tree(object);
    const bool asks = object.contains("webhooks") || kube::Find(tree, "spec.conversion") != nullptr;
    if (asks) AskForAuthority(object, settings.ca_from);
  }
  return objects;
}

ExitCode PrintCrds(const CrdsSettings& settings) {
  for (const DialectEntry& entry : Dialects()) {
    if (!settings.dialect.empty() && settings.dialect != entry.name) continue;
    const auto objects = ObjectsOf(entry, settings);
    if (!objects) return Report(Stage::kUsage, objects.error());
    for (const boost::json::object& object : *objects) {
      std::printf("---\n%s", kube::ToYaml(object).c_str());
    }
  }
  return std::fflush(stdout) == 0 ? ExitCode::kOk : ExitCode::kFailed;
}

}  // namespace

void AddCrdsCommand(CLI::App& app, const GlobalOptions&, Run& run) {
  CLI::App* command =
      app.add_subcommand("crds", "Print the CustomResourceDefinitions that a cluster needs");
  auto settings = std::make_shared<CrdsSettings>();
  std::vector<std::string> names;
  for (const DialectEntry& entry : Dialects()) names.emplace_back(entry.name);
  command->add_option("--dialect", settings->dialect, "Whose kinds; without it, all")
      ->check(CLI::IsMember(names));
  command->add_option("--webhook-service", settings->service,
                      "NAMESPACE/NAME of a service that reaches the controllers: with what sends "
                      "the dialect's webhooks there");
  command->add_option("--ca-file", settings->ca_file, "Who vouches for its certificate (PEM)");
  command->add_option("--inject-ca-from", settings->ca_from,
                      "NAMESPACE/NAME of cert-manager's Certificate that does");
  command->footer(R"(
examples:
  millwright crds --dialect gardener | kubectl apply -f -
  millwright crds --dialect cluster-api --webhook-service capi-system/capi-webhook-service \
    --inject-ca-from capi-system/capi-serving-cert | kubectl apply --server-side -f -)");
  command->callback([&run, settings] { run = [settings] { return PrintCrds(*settings); }; });
}

}  // namespace millwright::cli
