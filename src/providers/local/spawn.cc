#include "providers/local/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "providers/local/descriptor.h"
#include "providers/local/system_failure.h"

namespace millwright::providers {

namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> OpenPipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return SystemFailure("opening a pipe", errno);
  return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

// The array of pointers that exec wants; the texts must outlive it.
std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Everything the new processes need, made before there are any: between fork and exec nothing may
// be allocated, since another thread may have held the allocator's lock.
struct Prepared {
  char* const* arguments;
  char* const* environment;
  const char* directory;
  const char* host_name;
  std::size_t host_name_size;
  int null;
  int log;
  int report;  // to the parent
  int go;      // from the parent
};

// Where the new processes have them.
constexpr int kReport = STDERR_FILENO + 1;
constexpr int kGo = kReport + 1;

// What the process in the middle tells.
struct Report {
  pid_t pid = 0;
  int error = 0;
  bool isolated = false;
};

template <class T>
bool ReadWhole(int fd, T& value) {
  ssize_t size = 0;
  do {
    size = ::read(fd, &value, sizeof(value));
  } while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof(value));
}

template <class T>
void WriteWhole(int fd, const T& value) {
  [[maybe_unused]] const ssize_t size = ::write(fd, &value, sizeof(value));
}

void ResetSignals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Processes of its own, a host name of its own, mounts of its own. Who is not root may have them in
// a user namespace, where that is allowed.
bool Isolate() {
  constexpr int kNamespaces = CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWNS;
  return ::unshare(kNamespaces) == 0 || ::unshare(kNamespaces | CLONE_NEWUSER) == 0;
}

// The host name, and a /proc that shows its processes and no others.
void FurnishNamespaces(const Prepared& prepared) {
  [[maybe_unused]] const int named = ::sethostname(prepared.host_name, prepared.host_name_size);
  // Only if what we mount stays with us.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

// Nothing of ours stays open: not the other end of a pipe, which would then never end, nor a lock.
void KeepOnly(const Prepared& prepared) {
  constexpr int kAside = 10;  // above all that is about to be replaced
  const int null = ::fcntl(prepared.null, F_DUPFD, kAside);
  const int log = ::fcntl(prepared.log, F_DUPFD, kAside);
  const int report = ::fcntl(prepared.report, F_DUPFD, kAside);
  const int go = ::fcntl(prepared.go, F_DUPFD, kAside);
  ::dup2(null, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::dup3(report, kReport, O_CLOEXEC);
  ::dup3(go, kGo, O_CLOEXEC);
  ::close_range(kGo + 1, ~0U, 0);
}

[[noreturn]] void BecomeProgram(const Prepared& prepared, bool isolated) {
  char go = 0;
  // The parent went away before it had us on record.
  if (!ReadWhole(kGo, go)) ::_exit(1);
  if (isolated) FurnishNamespaces(prepared);
  ResetSignals();
  ::umask(S_IRWXG | S_IRWXO);
  if (::chdir(prepared.directory) == 0) {
    ::execve(prepared.arguments[0], prepared.arguments, prepared.environment);
  }
  WriteWhole(kReport, errno);
  ::_exit(127);
}

// Ends at once, so that the program becomes an orphan that somebody else buries.
[[noreturn]] void StandBetween(const Prepared& prepared) {
  KeepOnly(prepared);
  ::setsid();
  const bool isolated = Isolate();
  const pid_t pid = ::_Fork();
  if (pid == 0) BecomeProgram(prepared, isolated);
  WriteWhole(kReport, Report{.pid = pid, .error = pid < 0 ? errno : 0, .isolated = isolated});
  ::_exit(0);
}

void Bury(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<Spawned> SpawnDetached(const SpawnPlan& plan, const RecordProcess& record) {
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.is_open()) return SystemFailure("opening /dev/null", errno);
  const Descriptor log(
      ::open(plan.log.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!log.is_open()) return SystemFailure("opening " + plan.log.string(), errno);
  TRY(Pipe report, OpenPipe());
  TRY(Pipe go, OpenPipe());
  const std::vector<char*> arguments = Pointers(plan.command);
  const std::vector<char*> environment = Pointers(plan.environment);
  const Prepared prepared{.arguments = arguments.data(),
                          .environment = environment.data(),
                          .directory = plan.directory.c_str(),
                          .host_name = plan.host_name.c_str(),
                          .host_name_size = plan.host_name.size(),
                          .null = null.get(),
                          .log = log.get(),
                          .report = report.write.get(),
                          .go = go.read.get()};
  const pid_t between = ::fork();
  if (between < 0) return SystemFailure("starting a process", errno);
  if (between == 0) StandBetween(prepared);
  report.write.Close();
  go.read.Close();

  Report told;
  const bool heard = ReadWhole(report.read.get(), told);
  Bury(between);
  if (!heard || told.pid <= 0) return SystemFailure("starting a process", told.error);
  const auto process = FindProcess(told.pid);
  // It waits for us, so it is there unless somebody kills whatever they see.
  if (!process) return SystemFailure("finding the new process", ESRCH);
  CHECK_OK(record(*process));
  WriteWhole(go.write.get(), '!');
  // Its end of the pipe is closed by a successful exec.
  int error = 0;
  if (ReadWhole(report.read.get(), error)) {
    return SystemFailure("running " + plan.command.front(), error);
  }
  return Spawned{.process = *process, .isolated = told.isolated};
}

}  // namespace millwright::providers
