#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "apiserver/auth/pki/kubeconfig.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/auth/pki/private_text.h"
#include "apiserver/server/embedded.h"
#include "apiserver/store/memory_disk.h"
#include "apiserver/store/sqlite_disk.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/process.h"
#include "net/server.h"

namespace millwright::cli {

namespace {

namespace fs = std::filesystem;

struct StandaloneSettings {
  std::string listen = "127.0.0.1:6443";
  std::string data_dir = "millwright-data";
  bool in_memory = false;
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

Result<Listen> ParseListen(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto wrong = [&] {
    return Fail(ErrorKind::kInvalid,
                fmt::format("--listen {}: use ADDRESS:PORT, such as 127.0.0.1:6443; port 0 takes "
                            "any free one",
                            text));
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

// Everything that can fail before anybody is served.
Task<Result<void>> Serve(Process process, const StandaloneSettings& settings) {
  CO_TRY(const Listen listen, ParseListen(settings.listen));
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
  CO_TRY(const auto disk, OpenDisk(settings, process.random));
  CO_TRY(const auto api, apiserver::EmbeddedServer::Open({.executor = process.executor,
                                                          .clock = process.clock,
                                                          .random = process.random,
                                                          .disk = *disk,
                                                          .pki = pki,
                                                          .log = process.log.For("apiserver")}));
  auto started = co_await api->Start();
  if (started) {
    auto server = net::Server::Listen(process.executor, process.clock,
                                      {.address = listen.address,
                                       .port = listen.port,
                                       .tls = net::TlsPem{.certificate = pki.server.certificate,
                                                          .key = pki.server.key,
                                                          .client_ca = pki.ca.certificate},
                                       .log = process.log.For("apiserver")},
                                      api->handler());
    if (!server) {
      started = Failure(server.error());
    } else {
      const std::string url = listen.Url((*server)->port());
      const fs::path kubeconfig = fs::absolute(directory / "kubeconfig").lexically_normal();
      const auto text = apiserver::KubeconfigFor(url, pki.ca.certificate, pki.admin);
      started = text ? apiserver::WritePrivateText(kubeconfig, *text) : Failure(text.error());
      if (started) {
        std::printf("Serving the Kubernetes API at %s\n", url.c_str());
        std::printf("  export KUBECONFIG=%s\n", kubeconfig.c_str());
        std::fflush(stdout);
        co_await (*server)->Run();
      }
    }
  }
  co_await IgnoreCancellation();
  co_await api->Close();
  co_return started;
}

Task<ExitCode> Standalone(Process process, const StandaloneSettings& settings) {
  const auto served = co_await Serve(process, settings);
  if (served) co_return ExitCode::kOk;
  std::fprintf(stderr, "millwright: %s\n", served.error().message().c_str());
  co_return served.error().kind() == ErrorKind::kInvalid ? ExitCode::kUsage : ExitCode::kFailed;
}

}  // namespace

void AddStandaloneCommand(CLI::App& app, const GlobalOptions& global, Run& run) {
  CLI::App* command = app.add_subcommand(
      "standalone", "Serve a Kubernetes API of our own, with no Kubernetes anywhere");
  auto settings = std::make_shared<StandaloneSettings>();
  command->add_option("--listen", settings->listen, "ADDRESS:PORT; port 0 takes any free one")
      ->capture_default_str();
  command
      ->add_option("--data-dir", settings->data_dir,
                   "Where objects, certificates and the kubeconfig are kept")
      ->capture_default_str();
  command->add_flag("--in-memory", settings->in_memory,
                    "Keep nothing; only the kubeconfig is written");
  command->footer(R"(
examples:
  millwright standalone
  millwright standalone --data-dir /var/lib/millwright --listen 127.0.0.1:7443
  millwright standalone --in-memory --listen 127.0.0.1:0
  KUBECONFIG=millwright-data/kubeconfig kubectl get namespaces)");
  command->callback([&global, &run, settings] {
    run = [&global, settings] {
      const auto options = global.ForProcess();
      if (!options) return Report(Stage::kUsage, options.error());
      return RunProcess(*options,
                        [&](Process process) { return Standalone(std::move(process), *settings); });
    };
  });
}

}  // namespace millwright::cli
