#include "providers/local/local_cloud.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "providers/local/spawn.h"
#include "providers/local/system_failure.h"

namespace millwright::providers {

namespace fs = std::filesystem;
using core::CloudCode;

namespace {

constexpr std::string_view kScheme = "local:///";

// Ending is a matter of milliseconds, and nothing tells us: the process is not our child.
constexpr Duration kFirstLook = std::chrono::milliseconds(5);
constexpr Duration kSlowestLook = std::chrono::milliseconds(100);
constexpr Duration kAskAgain = std::chrono::seconds(1);
// A process that survives SIGKILL for so long hangs in the kernel.
constexpr Duration kKillLimit = std::chrono::seconds(10);

// It becomes the name of a folder.
bool IsSafeUid(std::string_view uid) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !uid.empty() && uid.size() <= 128 && std::ranges::all_of(uid, is_fine);
}

// The UID of a machine, or of whom a recorded instance was made for; empty if it is none of ours.
std::string UidOf(const MachineIdentity& machine) {
  std::string uid = machine.uid.str();
  if (uid.empty() && machine.instance.starts_with(kScheme)) {
    uid = machine.instance.substr(kScheme.size());
  }
  return IsSafeUid(uid) ? uid : std::string();
}

Instance InstanceOf(const std::string& uid, const MachineRecord& record) {
  Instance instance{.id = std::string(kScheme) + uid,
                    .node = record.name,
                    .machine = record.name,
                    .machine_uid = Uid(uid),
                    .addresses = {{.type = "InternalIP", .address = "127.0.0.1"}},
                    .made = record.made};
  if (!record.name.empty()) {
    instance.addresses.push_back({.type = "Hostname", .address = record.name});
  }
  return instance;
}

// What a machine is to know of our surroundings; anything else may be a secret.
std::vector<std::string> EnvironmentForMachines() {
  constexpr std::array<std::string_view, 12> kNames = {
      "PATH",        "TZ",        "LANG",     "http_proxy", "HTTP_PROXY",    "https_proxy",
      "HTTPS_PROXY", "all_proxy", "no_proxy", "NO_PROXY",   "SSL_CERT_FILE", "SSL_CERT_DIR"};
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::ranges::find(kNames, name) != kNames.end()) environment.emplace_back(text);
  }
  return environment;
}

std::vector<std::string> CommandFor(const fs::path& program, const MachineFolder& folder,
                                    const MachineRecord& record, const LocalSpec& spec) {
  std::vector<std::string> command = {program.string(), "node-agent",
                                      "--user-data",    folder.user_data().string(),
                                      "--state-dir",    folder.state().string(),
                                      "--name",         record.name,
                                      "--provider-id",  std::string(kScheme) + record.uid.str()};
  const auto add = [&](const char* flag, const std::string& value) {
    if (value.empty()) return;
    command.emplace_back(flag);
    command.push_back(value);
  };
  add("--cpu", spec.cpu);
  add("--memory", spec.memory);
  add("--pods", spec.pods);
  for (const auto& [name, value] : spec.labels) add("--label", fmt::format("{}={}", name, value));
  return command;
}

}  // namespace

LocalCloud::LocalCloud(LocalSettings settings, Clock& clock, Logger log)
    : settings_{.directory = fs::absolute(settings.directory),
                .program = fs::absolute(settings.program),
                .stop_grace = settings.stop_grace},
      clock_(clock),
      log_(std::move(log)) {}

MachineFolder LocalCloud::FolderOf(const std::string& uid) const {
  return MachineFolder(settings_.directory / uid);
}

Result<void> LocalCloud::Validate(const InstanceClass& instance_class) const {
  CHECK_OK(ParseLocalSpec(instance_class.provider_spec));
  return Ok();
}

Task<Result<Instance>> LocalCloud::Create(std::shared_ptr<const InstanceClass> instance_class,
                                          CreateRequest request) {
  co_return CreateNow(*instance_class, request);
}

Result<Instance> LocalCloud::CreateNow(const InstanceClass& instance_class,
                                       const CreateRequest& request) {
  const std::string uid = UidOf(request.machine);
  if (uid.empty() || request.machine.name.empty()) {
    return FailCloud(CloudCode::kInvalidArgument, "a machine needs a UID and a name");
  }
  const auto spec = ParseLocalSpec(instance_class.provider_spec);
  if (!spec) return FailCloud(CloudCode::kInvalidArgument, spec.error().message());
  std::error_code error;
  fs::create_directories(settings_.directory, error);
  if (error) return SystemFailure("making " + settings_.directory.string(), error.value());

  const MachineFolder folder = FolderOf(uid);
  TRY(const Descriptor lock, MakeAndLock(folder));
  const auto process = folder.ReadProcess();
  const auto known = folder.ReadRecord();
  if (process && known && IsAlive(*process)) return InstanceOf(uid, *known);
  const MachineRecord record{.name = request.machine.name,
                             .namespace_ = request.machine.namespace_,
                             .uid = Uid(uid),
                             .class_name = instance_class.name,
                             .made = clock_.Now()};
  CHECK_OK(folder.WriteRecord(record));
  CHECK_OK(folder.WriteUserData(request.user_data.Reveal()));
  CHECK_OK(folder.ClearState());
  CHECK_OK(Start(folder, record, *spec));
  return InstanceOf(uid, record);
}

Result<void> LocalCloud::Start(const MachineFolder& folder, const MachineRecord& record,
                               const LocalSpec& spec) {
  const SpawnPlan plan{.command = CommandFor(settings_.program, folder, record, spec),
                       .environment = EnvironmentForMachines(),
                       .directory = folder.path(),
                       .log = folder.log(),
                       .host_name = record.name};
  auto spawned =
      SpawnDetached(plan, [&](const ProcessId& process) { return folder.WriteProcess(process); });
  if (!spawned) {
    // It is on its way out, and was never a machine.
    folder.ForgetProcess();
    return Failure(std::move(spawned).error());
  }
  log_.Info("machine started", {{"machine", record.name},
                                {"uid", record.uid.str()},
                                {"pid", static_cast<std::int64_t>(spawned->process.pid)}});
  if (!spawned->isolated && !std::exchange(told_isolation_, true)) {
    log_.Warning("local machines run without namespaces of their own: that is not allowed here");
  }
  return Ok();
}

Task<Result<Instance>> LocalCloud::Get(std::shared_ptr<const InstanceClass>,
                                       MachineIdentity machine) {
  co_return GetNow(machine);
}

Result<Instance> LocalCloud::GetNow(const MachineIdentity& machine) const {
  const std::string uid = UidOf(machine);
  if (uid.empty()) return FailCloud(CloudCode::kNotFound, "there is no such local machine");
  const MachineFolder folder = FolderOf(uid);
  const auto record = folder.ReadRecord();
  const auto process = folder.ReadProcess();
  if (!record || !process) {
    // Also when it was only half made: making it again goes on from there.
    return FailCloud(CloudCode::kNotFound, "there is no local machine " + uid);
  }
  if (!IsAlive(*process)) {
    return FailCloud(
        CloudCode::kNotFound,
        fmt::format("the process {} of machine {} has ended; what it last said is in {}",
                    process->pid, record->name, folder.log().string()));
  }
  return InstanceOf(uid, *record);
}

Task<Result<void>> LocalCloud::Remove(std::shared_ptr<const InstanceClass>,
                                      MachineIdentity machine) {
  const std::string uid = UidOf(machine);
  if (uid.empty()) co_return Ok();
  const MachineFolder folder = FolderOf(uid);
  CO_TRY(const std::optional<Descriptor> lock, LockIfThere(folder));
  if (!lock) co_return Ok();
  if (const auto process = folder.ReadProcess()) CO_CHECK(co_await Stop(*process));
  CO_CHECK(folder.Delete());
  log_.Info("machine removed", {{"uid", uid}});
  co_return Ok();
}

Task<Result<void>> LocalCloud::Stop(ProcessId process) {
  const SteadyTime deadline = clock_.Elapsed() + settings_.stop_grace;
  for (Duration left = settings_.stop_grace; left > Duration::zero();
       left = deadline - clock_.Elapsed()) {
    // Again and again: the first process of a namespace does not see it before it listens.
    SendSignal(process, SIGTERM);
    CO_TRY(const bool ended, co_await WaitForEnd(process, std::min(left, kAskAgain)));
    if (ended) co_return Ok();
  }
  SendSignal(process, SIGKILL);
  CO_TRY(const bool killed, co_await WaitForEnd(process, kKillLimit));
  if (killed) co_return Ok();
  co_return FailCloud(CloudCode::kDeadlineExceeded,
                      fmt::format("process {} does not end", process.pid));
}

Task<Result<bool>> LocalCloud::WaitForEnd(ProcessId process, Duration limit) {
  const SteadyTime deadline = clock_.Elapsed() + limit;
  Duration pause = kFirstLook;
  while (IsAlive(process)) {
    const SteadyTime now = clock_.Elapsed();
    if (now >= deadline) co_return false;
    if (co_await SleepUntil(clock_, std::min(now + pause, deadline)) == Wake::kCancelled) {
      co_return FailCloud(CloudCode::kCanceled, "asked to stop while a machine was ending");
    }
    pause = std::min(pause * 2, kSlowestLook);
  }
  co_return true;
}

Task<Result<std::vector<Instance>>> LocalCloud::List(
    std::shared_ptr<const InstanceClass> instance_class) {
  std::vector<Instance> instances;
  std::error_code error;
  fs::directory_iterator entries(settings_.directory, error);
  if (error == std::errc::no_such_file_or_directory) co_return instances;
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string uid = entries->path().filename().string();
    const MachineFolder folder = FolderOf(uid);
    if (!IsSafeUid(uid) || !folder.Exists()) continue;
    // One that a crash left without a record is of no class, so it is of each.
    const auto record = folder.ReadRecord();
    if (record && record->class_name != instance_class->name) continue;
    instances.push_back(InstanceOf(uid, record.value_or(MachineRecord())));
  }
  if (error) co_return SystemFailure("listing " + settings_.directory.string(), error.value());
  std::ranges::sort(instances, {}, &Instance::id);
  co_return instances;
}

}  // namespace millwright::providers
