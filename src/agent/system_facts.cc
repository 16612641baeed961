#include "agent/system_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "agent/state_folder.h"

namespace millwright::agent {

namespace {

std::string FirstLine(const std::string& path) {
  const std::string text = ReadWholeFile(path).value_or("");
  return text.substr(0, text.find('\n'));
}

// Go's names.
std::string ArchitectureOf(std::string_view machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return std::string(machine);
}

std::string OsName() {
  const std::string text = ReadWholeFile("/etc/os-release").value_or("");
  constexpr std::string_view kKey = "PRETTY_NAME=\"";
  const auto begin = text.find(kKey);
  if (begin == text.npos) return "Linux";
  const auto from = begin + kKey.size();
  return text.substr(from, text.find('"', from) - from);
}

}  // namespace

SystemFacts FactsOfThisComputer() {
  utsname names{};
  ::uname(&names);
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES);
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  return {.architecture = ArchitectureOf(names.machine),
          .kernel = names.release,
          .os_image = OsName(),
          .boot_id = FirstLine("/proc/sys/kernel/random/boot_id"),
          .machine_id = FirstLine("/etc/machine-id"),
          .cpu = std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)),
          .memory = std::to_string(pages * page / 1024) + "Ki"};
}

}  // namespace millwright::agent
