#include "kube/config/spawn_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <ranges>
#include <string_view>
#include <system_error>

namespace millwright::kube {

namespace {

Failure SystemFailure(std::string_view doing, int error) {
  return Fail(ErrorKind::kInvalid,
              std::string(doing) + ": " + std::generic_category().message(error));
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Result<Pipe> OpenPipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return SystemFailure("opening a pipe", errno);
  return Pipe{.read = FileDescriptor(ends[0]), .write = FileDescriptor(ends[1])};
}

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void Open(int fd, const char* path) {
    ::posix_spawn_file_actions_addopen(&actions_, fd, path, O_RDONLY, 0);
  }
  void Duplicate(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  // Sockets of ours are none of its business, and not all libraries mark theirs.
  void CloseFrom(int fd) { ::posix_spawn_file_actions_addclosefrom_np(&actions_, fd); }

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  explicit Attributes(bool own_group) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
    ::posix_spawnattr_setflags(
        &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// The array of pointers that exec wants; the texts must outlive it.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string PathOf(const std::vector<std::string>& env) {
  constexpr std::string_view kName = "PATH=";
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : env) {
    if (entry.starts_with(kName)) path = entry.substr(kName.size());
  }
  return path;
}

std::optional<std::string> FindProgram(const ChildCommand& command) {
  const auto runs = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (command.program.contains('/')) {
    return ::access(command.program.c_str(), F_OK) == 0 ? std::optional(command.program)
                                                        : std::nullopt;
  }
  for (const auto part : std::views::split(PathOf(command.env), ':')) {
    // Unlike a shell we do not take an empty entry for the current folder.
    const std::string folder(std::string_view(part.begin(), part.end()));
    std::string path = folder + "/" + command.program;
    if (!folder.empty() && runs(path)) return path;
  }
  return std::nullopt;
}

// The header of glibc 2.36 declares pidfd_open in a way that C++ cannot link.
FileDescriptor OpenPidfd(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

int ExitCode(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int WaitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return 0;  // somebody else reaped it
  }
  return ExitCode(status);
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    if (is_open()) ::close(fd_);
    fd_ = other.Release();
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(fd_);
}

void Process::Reap() { exit_code_ = WaitFor(std::exchange(pid_, 0)); }

void Process::KillAndReap() {
  ::kill(leads_group_ ? -pid_ : pid_, SIGKILL);
  Reap();
}

Result<SpawnedChild> SpawnChild(const ChildCommand& command) {
  const auto path = FindProgram(command);
  if (!path) return Fail(ErrorKind::kNotFound, "there is no such program");
  TRY(Pipe out, OpenPipe());
  TRY(Pipe err, OpenPipe());
  FileActions actions;
  if (!command.interactive) {
    actions.Open(STDIN_FILENO, "/dev/null");
    actions.Duplicate(err.write.get(), STDERR_FILENO);
  }
  actions.Duplicate(out.write.get(), STDOUT_FILENO);
  actions.CloseFrom(STDERR_FILENO + 1);

  std::vector<std::string> args = {command.program};
  args.insert(args.end(), command.args.begin(), command.args.end());
  std::vector<std::string> env = command.env;
  // At a terminal it stays in our process group: otherwise it may not read from there.
  const Attributes attributes(!command.interactive);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, path->c_str(), actions.get(), attributes.get(),
                                  Pointers(args).data(), Pointers(env).data());
  if (error != 0) return SystemFailure("starting it", error);
  Process process(pid, !command.interactive);
  FileDescriptor exit = OpenPidfd(pid);
  if (!exit.is_open()) return SystemFailure("watching it", errno);
  return SpawnedChild{.process = std::move(process),
                      .exit = std::move(exit),
                      .out = std::move(out.read),
                      .err = command.interactive ? FileDescriptor() : std::move(err.read)};
}

}  // namespace millwright::kube
