#include "tests/e2e/control_plane.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <cstdlib>
#include <stdexcept>

extern char** environ;

namespace millwright::e2e {

namespace json = boost::json;

namespace {

const std::string kTools = std::string(MILLWRIGHT_SOURCE_DIR) + "/tools/";

std::string ReadAll(int descriptor) {
  std::string all;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(descriptor, buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(size));
  }
  return all;
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& arguments) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  CommandResult result;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (error == 0) {
    result.output = ReadAll(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(pipe_ends[0]);
  return result;
}

std::string ControlPlane::Missing() {
  const CommandResult built = RunCommand({kTools + "kubernetes/build", "--print-dir"});
  const std::string directory = built.output.substr(0, built.output.find('\n'));
  if (built.exit_code == 0 && access((directory + "/kube-apiserver").c_str(), X_OK) == 0) return "";
  return "no real control plane here: run tools/kubernetes/build (it needs Go)";
}

ControlPlane& ControlPlane::Shared() {
  static ControlPlane plane;
  return plane;
}

ControlPlane::ControlPlane() : name_("e2e-" + std::to_string(getpid())) {
  // These two would taint and change every Node that is made here.
  const CommandResult up =
      RunCommand({kTools + "control-plane", "up", "--name", name_, "--parent-pid",
                  std::to_string(getpid()), "--json", "--without-controller",
                  "node-lifecycle-controller", "--without-controller", "ttl-controller"});
  if (up.exit_code != 0) throw std::runtime_error("control-plane up: " + up.output);
  const json::value state = json::parse(up.output);
  directory_ = json::value_to<std::string>(state.at("dir"));
  binaries_ = json::value_to<std::string>(state.at("bin"));
  server_ = json::value_to<std::string>(state.at("server"));
  ca_file_ = json::value_to<std::string>(state.at("ca"));
  etcd_port_ = state.at("ports").at("etcd").to_number<int>();
}

std::string ControlPlane::Control(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{kTools + "control-plane"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--name", name_});
  const CommandResult done = RunCommand(command);
  if (done.exit_code != 0) throw std::runtime_error(arguments[0] + ": " + done.output);
  return done.output;
}

std::string ControlPlane::Kubeconfig(const std::string& user) const {
  return directory_ + "/kubeconfigs/" + user + ".yaml";
}

std::string ControlPlane::MakeIdentity(const std::string& name,
                                       const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"identity", name};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Control(arguments);
  return Kubeconfig(name);
}

int ControlPlane::Requests(const std::string& user, const std::string& verb) {
  const std::string text =
      Control({"requests", "--since-mark", "--user", user, "--by", "verb", "--json"});
  const json::value counts = json::parse(text);
  int total = 0;
  for (const json::value& row : counts.as_array()) {
    if (row.at("verb").as_string() == verb)
      total += static_cast<int>(row.at("count").to_number<int>());
  }
  return total;
}

CommandResult ControlPlane::Kubectl(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{binaries_ + "/kubectl", "--kubeconfig", Kubeconfig("admin")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunCommand(command);
}

}  // namespace millwright::e2e
