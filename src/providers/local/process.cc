#include "providers/local/process.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

namespace millwright::providers {

namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::string BootId() {
  std::string id = ReadText("/proc/sys/kernel/random/boot_id");
  while (id.ends_with('\n')) id.pop_back();
  return id;
}

}  // namespace

std::optional<ProcessId> FindProcess(pid_t pid) {
  const std::string stat = ReadText("/proc/" + std::to_string(pid) + "/stat");
  // "PID (NAME) STATE ...": the name may hold anything, brackets too.
  const auto name_end = stat.rfind(')');
  if (pid <= 0 || name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string state;
  fields >> state;
  if (state == "Z" || state == "X") return std::nullopt;
  // proc(5): the state is field 3, the time it began is field 22.
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  ProcessId process{.pid = pid, .boot = BootId()};
  if (!(fields >> process.began)) return std::nullopt;
  return process;
}

bool IsAlive(const ProcessId& process) { return FindProcess(process.pid) == process; }

void SendSignal(const ProcessId& process, int signal) {
  // Held first and compared then: what is held cannot become another process.
  const int held = static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0));
  if (held < 0) return;
  if (IsAlive(process)) ::syscall(SYS_pidfd_send_signal, held, signal, nullptr, 0);
  ::close(held);
}

}  // namespace millwright::providers
