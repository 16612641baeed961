#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apiserver/auth/pki/kubeconfig.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/auth/pki/private_text.h"
#include "apiserver/auth/pki/renewal.h"
#include "apiserver/server/embedded.h"
#include "apiserver/store/memory_disk.h"
#include "apiserver/store/sqlite_disk.h"
#include "apiserver/webhooks/dialer.h"
#include "cli/commands.h"
#include "cli/dialects.h"
#include "cli/failure.h"
#include "cli/process.h"
#include "cli/standalone_backup.h"
#include "cli/standalone_machines.h"
#include "net/server.h"

namespace millwright::cli {

namespace {

namespace fs = std::filesystem;

struct StandaloneSettings {
  std::string listen = "127.0.0.1:6443";
  std::string data_dir = "millwright-data";
  bool in_memory = false;
  bool without_node_lifecycle = false;
  std::string dialect = "gardener";
  std::string token_file;
  bool sample = false;
  std::vector<std::string> providers;
  std::vector<std::string> provider_certificates;
  std::string metrics_listen;
};

struct Listen {
  std::string address;
  std::uint16_t port = 0;

  // What clients are told to connect to.
  std::string Url(std::uint16_t real_port) const {
    const bool any = address == "0.0.0.0" || address == "::";
    const std::string host = any ? "127.0.0.1" : address;
    return fmt::format("https://{}:{}", host.contains(':') ? "[" + host + "]" : host, real_port);
  }
};

Result<Listen> ParseListen(std::string_view flag, std::string_view text) {
  const auto colon = text.rfind(':');
  const auto wrong = [&] {
    return Fail(
        ErrorKind::kInvalid,
        fmt::format("{} {}: use ADDRESS:PORT, such as 127.0.0.1:6443; port 0 takes any free "
                    "one",
                    flag, text));
  };
  if (colon == text.npos || colon == 0 || colon + 1 == text.size()) return wrong();
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  unsigned port = 0;
  for (const char c : text.substr(colon + 1)) {
    if (c < '0' || c > '9' || port > 65535) return wrong();
    port = port * 10 + static_cast<unsigned>(c - '0');
  }
  if (port > 65535) return wrong();
  return Listen{.address = std::string(host), .port = static_cast<std::uint16_t>(port)};
}

Result<std::optional<MetricsListen>> MetricsOf(const StandaloneSettings& settings) {
  if (settings.metrics_listen.empty()) return std::nullopt;
  if (settings.dialect == "none") {
    return Fail(ErrorKind::kInvalid, "--metrics-listen: with --dialect none there are no metrics");
  }
  TRY(Listen listen, ParseListen("--metrics-listen", settings.metrics_listen));
  return MetricsListen{.address = std::move(listen.address), .port = listen.port};
}

Result<void> MakeDirectory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error) return Ok();
  return Fail(ErrorKind::kPermission,
              fmt::format("cannot make the data directory {}: {}; choose another with --data-dir",
                          directory.string(), error.message()));
}

Result<std::unique_ptr<apiserver::Disk>> OpenDisk(const StandaloneSettings& settings,
                                                  Random& random) {
  if (settings.in_memory) return std::make_unique<apiserver::MemoryDisk>(random.Uuid());
  const std::string file = (fs::path(settings.data_dir) / "store.db").string();
  TRY(auto disk, apiserver::SqliteDisk::Open({.file = file}, random));
  return disk;
}

// What the server shows to its clients. Files are read again when they change; what is kept in
// memory stays for its year.
net::TlsSource TlsOf(const StandaloneSettings& settings, const apiserver::Pki& pki) {
  if (settings.in_memory) {
    return net::TlsPem{.certificate = pki.server.certificate,
                       .key = pki.server.key,
                       .client_ca = pki.ca.certificate};
  }
  const fs::path directory = fs::path(settings.data_dir) / "pki";
  const std::string server = (directory / "server.pem").string();
  return net::TlsFiles{
      .certificate = server, .key = server, .client_ca = (directory / "ca.pem").string()};
}

std::optional<apiserver::NodeLimits> NodesOf(const StandaloneSettings& settings) {
  if (settings.without_node_lifecycle) return std::nullopt;
  return apiserver::NodeLimits{};
}

Result<std::vector<apiserver::StaticToken>> ReadTokens(const std::string& file) {
  if (file.empty()) return std::vector<apiserver::StaticToken>();
  std::ifstream stream(file);
  if (!stream) {
    return Fail(ErrorKind::kInvalid, fmt::format("--token-auth-file {}: it cannot be read", file));
  }
  std::stringstream text;
  text << stream.rdbuf();
  auto tokens = apiserver::ParseStaticTokens(text.str());
  if (!tokens) return Failure(std::move(tokens).error().Wrap("--token-auth-file " + file));
  return tokens;
}

Result<void> WriteKubeconfig(const fs::path& file, const std::string& url,
                             const apiserver::Pki& pki) {
  TRY(const auto text, apiserver::KubeconfigFor(url, pki.ca.certificate, pki.admin));
  return apiserver::WritePrivateText(file, text);
}

// Everything that can fail before anybody is served.
Task<Result<void>> Serve(Process process, const StandaloneSettings& settings) {
  CO_TRY(const Listen listen, ParseListen("--listen", settings.listen));
  CO_TRY(const auto metrics, MetricsOf(settings));
  const fs::path directory = settings.data_dir;
  CO_CHECK(MakeDirectory(directory));
  const auto names = apiserver::ServerNames(apiserver::HostName(), listen.address);
  apiserver::Pki pki;
  if (settings.in_memory) {
    pki = apiserver::MakePki(names, process.clock.Now(), process.random);
  } else {
    CO_TRY(pki,
           apiserver::LoadOrCreatePki(directory / "pki", names, process.clock, process.random));
  }
  CO_TRY(const auto static_tokens, ReadTokens(settings.token_file));
  CO_TRY(const auto providers,
         ReadProviderFlags(settings.providers, settings.provider_certificates));
  CO_TRY(RemoteProviders remote, MakeProviders(process, providers));
  CO_TRY(const auto disk, OpenDisk(settings, process.random));
  CO_TRY(const auto api, apiserver::EmbeddedServer::Open({.executor = process.executor,
                                                          .clock = process.clock,
                                                          .random = process.random,
                                                          .disk = *disk,
                                                          .pki = pki,
                                                          .static_tokens = static_tokens,
                                                          .nodes = NodesOf(settings),
                                                          .log = process.log.For("apiserver"),
                                                          .dial_webhook = apiserver::NetworkDialer(
                                                              process.executor, process.clock)}));
  BackupHandler handler(api->handler(), api->store(), directory, process.random);
  TaskGroup renewing(process.executor);
  TaskGroup machines(process.executor);
  auto started = co_await api->Start();
  if (started) {
    auto server = net::Server::Listen(process.executor, process.clock,
                                      {.address = listen.address,
                                       .port = listen.port,
                                       .tls = TlsOf(settings, pki),
                                       .log = process.log.For("apiserver")},
                                      handler);
    if (!server) {
      started = Failure(server.error());
    } else {
      const std::string url = listen.Url((*server)->port());
      const fs::path kubeconfig = fs::absolute(directory / "kubeconfig").lexically_normal();
      started = WriteKubeconfig(kubeconfig, url, pki);
      if (started) {
        const apiserver::Renew renew = [&, url, kubeconfig]() -> Result<WallTime> {
          TRY(const auto renewed,
              apiserver::LoadOrCreatePki(directory / "pki", names, process.clock, process.random));
          CHECK_OK(WriteKubeconfig(kubeconfig, url, renewed));
          return renewed.renew_at;
        };
        if (!settings.in_memory) {
          renewing.Spawn([&, first = pki.renew_at, renew] {
            return apiserver::RenewInTime(process.clock, first, renew,
                                          process.log.For("apiserver"));
          });
        }
        std::printf("Serving the Kubernetes API at %s\n", url.c_str());
        std::printf("  export KUBECONFIG=%s\n", kubeconfig.c_str());
        std::fflush(stdout);
        if (settings.dialect != "none") {
          // Written a moment ago.
          const std::string admin_text =
              apiserver::KubeconfigFor(url, pki.ca.certificate, pki.admin).value_or("");
          machines.Spawn([&, url, admin_text] {
            return RunMachines(process, api->handler(),
                               {.dialect = settings.dialect,
                                .sample = settings.sample,
                                .directory = fs::absolute(directory),
                                .url = url,
                                .ca_pem = pki.ca.certificate,
                                .kubeconfig = admin_text,
                                .identity = TlsOf(settings, pki),
                                .remote = std::move(remote),
                                .default_provider = providers.fallback,
                                .metrics = metrics});
          });
        }
        co_await (*server)->Run();
      }
    }
  }
  co_await IgnoreCancellation();
  machines.Cancel();
  co_await machines.Join();
  renewing.Cancel();
  co_await renewing.Join();
  co_await api->Close();
  co_return started;
}

Task<ExitCode> Standalone(Process process, const StandaloneSettings& settings) {
  const auto served = co_await Serve(process, settings);
  if (served) co_return ExitCode::kOk;
  std::fprintf(stderr, "millwright: %s\n", served.error().message().c_str());
  co_return served.error().kind() == ErrorKind::kInvalid ? ExitCode::kUsage : ExitCode::kFailed;
}

std::string DialectNames() {
  std::string names;
  for (const DialectEntry& entry : Dialects()) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

}  // namespace

void AddStandaloneCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command = app.add_subcommand(
      "standalone", "Machines and a Kubernetes API of our own, with no Kubernetes anywhere");
  auto settings = std::make_shared<StandaloneSettings>();
  command->add_option("--listen", settings->listen, "ADDRESS:PORT; port 0 takes any free one")
      ->capture_default_str();
  command
      ->add_option("--data-dir", settings->data_dir,
                   "Where objects, certificates and the kubeconfig are kept")
      ->capture_default_str();
  command->add_flag("--in-memory", settings->in_memory,
                    "Keep nothing; only the kubeconfig is written");
  command->add_flag("--without-node-lifecycle", settings->without_node_lifecycle,
                    "Leave silent nodes to a kube-controller-manager, or to nobody");
  command->add_option("--token-auth-file", settings->token_file,
                      "Bearer tokens, a line each: token,user,uid,\"group1,group2\"");
  command
      ->add_option("--dialect", settings->dialect,
                   "Whose machines are served: " + DialectNames() + ", or none for the API alone")
      ->capture_default_str();
  command->add_flag("--sample", settings->sample,
                    "Begin with a MachineDeployment of three machines made of this computer");
  command
      ->add_option(
          "--provider", settings->providers,
          "NAME=unix:///PATH or NAME=https://HOST:PORT: a provider in a process of its own, "
          "for classes of that name; may be repeated. NAME alone: serves all classes whose "
          "own provider is not here")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--provider-certs", settings->provider_certificates,
          "Folder with ca.crt, tls.crt and tls.key for providers at https; NAME=FOLDER for "
          "one of them")
      ->allow_extra_args(false);
  command->add_option(
      "--metrics-listen", settings->metrics_listen,
      "ADDRESS:PORT for /metrics and /healthz, without TLS; not served unless given");
  const CLI::App* backup = AddStandaloneBackupCommand(*command, global, run);
  command->footer(R"(
examples:
  millwright standalone
  millwright standalone --data-dir /var/lib/millwright --listen 127.0.0.1:7443
  millwright standalone --sample
  millwright standalone --dialect cluster-api --sample
  millwright standalone --provider demo=unix:///run/demo.sock
  millwright standalone --in-memory --listen 127.0.0.1:0 --dialect none
  millwright standalone backup --to monday.db
  KUBECONFIG=millwright-data/kubeconfig kubectl get namespaces)");
  command->callback([&global, &run, settings, backup] {
    if (backup->parsed()) return;
    run = [&global, settings] {
      const auto options = global.ForProcess();
      if (!options) return Report(Stage::kUsage, options.error());
      return RunProcess(*options,
                        [&](Process process) { return Standalone(std::move(process), *settings); });
    };
  });
}

}  // namespace millwright::cli
