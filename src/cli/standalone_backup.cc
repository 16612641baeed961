#include "cli/standalone_backup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <boost/json.hpp>

#include "apiserver/store/sqlite_disk.h"
#include "cli/failure.h"
#include "cli/process.h"
#include "kube/api/json_text.h"
#include "kube/connect/connection.h"

namespace millwright::cli {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr const char* kBackupPath = "/millwright/backup";

struct BackupSettings {
  std::string data_dir = "millwright-data";
  std::string to;
};

net::ServerResponse JsonResponse(int status, const json::object& body) {
  net::ServerResponse response;
  response.http.status = status;
  response.http.headers.Set("Content-Type", "application/json");
  response.http.body = json::serialize(body);
  return response;
}

bool IsAdmin(const net::PeerIdentity& peer) {
  return peer.verified &&
         std::ranges::find(peer.organizations, "system:masters") != peer.organizations.end();
}

// Also to another file system.
Result<void> MoveFile(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return Ok();
  fs::copy_file(from, to, error);
  std::error_code ignored;
  fs::remove(from, ignored);
  if (!error) return Ok();
  fs::remove(to, ignored);
  return Fail(ErrorKind::kPermission,
              fmt::format("cannot write {}: {}", to.string(), error.message()));
}

// Of a server that runs: it alone may read the store.
Task<Result<void>> AskServer(Process process, fs::path data_dir, fs::path to) {
  CO_TRY(const auto config,
         kube::LoadClientConfig({.kubeconfig = (data_dir / "kubeconfig").string()},
                                kube::SurroundingsOfThisProcess()));
  CO_TRY(const auto connection, kube::Connection::Make(process.executor, process.clock, config));
  CO_TRY(const auto answer,
         co_await connection->http().Send(
             {.method = "POST", .target = kBackupPath, .headers = {}, .body = {}}));
  const auto body = kube::ParseJson(answer.body);
  const std::string_view file = body ? kube::GetString(*body, "file") : "";
  if (answer.status != 200 || file.empty()) {
    const std::string_view why = body ? kube::GetString(*body, "message") : "";
    co_return Fail(ErrorKind::kInternal,
                   fmt::format("the server that runs in {} made no backup: {}", data_dir.string(),
                               why.empty() ? fmt::format("it answered {}", answer.status) : why));
  }
  co_return MoveFile(std::string(file), to);
}

Task<Result<void>> MakeBackup(Process process, fs::path data_dir, fs::path to) {
  const fs::path store = data_dir / "store.db";
  std::error_code ignored;
  if (!fs::exists(store, ignored)) {
    co_return Fail(ErrorKind::kNotFound,
                   fmt::format("there is no store in {}; name its directory with --data-dir",
                               data_dir.string()));
  }
  if (fs::exists(to, ignored)) {
    co_return Fail(ErrorKind::kAlreadyExists,
                   fmt::format("{} exists: choose another name", to.string()));
  }
  const auto disk = apiserver::SqliteDisk::Open({.file = store.string()}, process.random);
  if (disk) co_return co_await (*disk)->Backup(to.string());
  if (disk.error().kind() != ErrorKind::kUnavailable) co_return Failure(disk.error());
  co_return co_await AskServer(process, std::move(data_dir), std::move(to));
}

Task<ExitCode> Backup(Process process, const BackupSettings& settings) {
  const fs::path to = fs::absolute(settings.to).lexically_normal();
  const auto made = co_await MakeBackup(process, settings.data_dir, to);
  if (!made) {
    std::fprintf(stderr, "millwright: %s\n", made.error().message().c_str());
    co_return ExitCode::kFailed;
  }
  std::printf("Backed up to %s\n", to.c_str());
  co_return ExitCode::kOk;
}

}  // namespace

Task<net::ServerResponse> BackupHandler::Handle(net::ServerRequest request) {
  const bool asked = request.http.method == "POST" && request.http.target == kBackupPath;
  if (!asked) co_return co_await api_.Handle(std::move(request));
  if (!IsAdmin(request.peer)) {
    co_return JsonResponse(403, {{"message", "only system:masters may make backups"}});
  }
  const fs::path file =
      fs::absolute(directory_ / ("backup-" + random_.Uuid() + ".db")).lexically_normal();
  const auto made = co_await store_.Backup(file.string());
  if (!made) co_return JsonResponse(500, {{"message", made.error().message()}});
  co_return JsonResponse(200, {{"file", file.string()}});
}

CLI::App* AddStandaloneBackupCommand(CLI::App& standalone, const GlobalOptions& global, Run& run) {
  CLI::App* command = standalone.add_subcommand(
      "backup", "Copy all objects of a standalone server into a file, also while it runs");
  auto settings = std::make_shared<BackupSettings>();
  command->add_option("--data-dir", settings->data_dir, "Where the server keeps its objects")
      ->capture_default_str();
  command->add_option("--to", settings->to, "FILE to make; it must not exist")->required();
  command->footer(R"(
The copy is that of one moment. To go back to it, stop the server and put it in the
place of store.db in the data directory. Certificates are not in it: keep a copy of
the directory pki too.

examples:
  millwright standalone backup --to before-upgrade.db
  millwright standalone backup --data-dir /var/lib/millwright --to /backups/monday.db)");
  command->callback([&global, &run, settings] {
    run = [&global, settings] {
      const auto options = global.ForProcess();
      if (!options) return Report(Stage::kUsage, options.error());
      return RunProcess(*options,
                        [&](Process process) { return Backup(std::move(process), *settings); });
    };
  });
  return command;
}

}  // namespace millwright::cli
