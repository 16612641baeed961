#include "net/testing/nghttpd.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace millwright::net {

namespace fs = std::filesystem;

namespace {

fs::path FindProgram() {
  for (const auto* folder : {"/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"}) {
    const fs::path program = fs::path(folder) / "nghttpd";
    if (fs::exists(program)) return program;
  }
  return {};
}

// The port it was given is known to the kernel only: find the listener among its open files.
int ListeningPort(pid_t process) {
  std::ifstream table("/proc/net/tcp");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string slot, local, remote, state, queues, timer, retries, user, timeout, inode;
    fields >> slot >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >>
        inode;
    const bool listening = state == "0A";
    if (!listening) continue;
    const fs::path files = fs::path("/proc") / std::to_string(process) / "fd";
    for (const auto& file : fs::directory_iterator(files)) {
      std::error_code ignored;
      if (fs::read_symlink(file.path(), ignored) == "socket:[" + inode + "]") {
        return std::stoi(local.substr(local.find(':') + 1), nullptr, 16);
      }
    }
  }
  throw std::runtime_error("nghttpd listens nowhere");
}

void ReadUntil(int file, const std::string& words) {
  std::string seen;
  std::array<char, 512> buffer{};
  while (!seen.contains(words)) {
    const ssize_t size = read(file, buffer.data(), buffer.size());
    if (size <= 0) throw std::runtime_error("nghttpd did not start: " + seen);
    seen.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

void ReadToTheEnd(int file) {
  std::array<char, 65536> buffer{};
  while (read(file, buffer.data(), buffer.size()) > 0) {
  }
  close(file);
}

void Write(const fs::path& path, const std::string& content) { std::ofstream(path) << content; }

// The child's side; does not return.
[[noreturn]] void Become(std::vector<std::string> arguments, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (auto& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  _exit(127);
}

}  // namespace

std::unique_ptr<Nghttpd> Nghttpd::Start(const TestIdentity& identity,
                                        const std::vector<std::string>& flags) {
  const fs::path program = FindProgram();
  if (program.empty()) return nullptr;

  std::string folder = (fs::temp_directory_path() / "nghttpd.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const fs::path root(folder);
  Write(root / "key.pem", identity.key_pem.Reveal());
  Write(root / "cert.pem", identity.cert_pem);
  fs::create_directory(root / "files");

  std::vector<std::string> arguments = {program, "-v", "-a", "127.0.0.1", "-d", root / "files"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  for (const auto& last :
       {std::string("0"), (root / "key.pem").string(), (root / "cert.pem").string()}) {
    arguments.push_back(last);
  }
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process == 0) Become(arguments, ends[1]);
  close(ends[1]);
  return std::unique_ptr<Nghttpd>(new Nghttpd(root, process, ends[0]));
}

Nghttpd::Nghttpd(fs::path folder, pid_t process, int output)
    : folder_(std::move(folder)), process_(process) {
  ReadUntil(output, "listen");
  port_ = ListeningPort(process);
  drain_ = std::thread(ReadToTheEnd, output);
}

Nghttpd::~Nghttpd() {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  drain_.join();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Nghttpd::Put(const std::string& name, const std::string& content) const {
  Write(folder_ / "files" / name, content);
}

}  // namespace millwright::net
