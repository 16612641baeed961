#include "tests/e2e/real_control_plane.h"

#include <unistd.h>

#include <boost/json.hpp>

#include <stdexcept>

namespace millwright::e2e {

namespace json = boost::json;

namespace {

const std::string kTools = std::string(MILLWRIGHT_SOURCE_DIR) + "/tools/";

}  // namespace

std::string RealControlPlane::Missing() {
  const CommandResult built = RunCommand({kTools + "kubernetes/build", "--print-dir"});
  const std::string directory = built.output.substr(0, built.output.find('\n'));
  if (built.exit_code == 0 && access((directory + "/kube-apiserver").c_str(), X_OK) == 0) return "";
  return "no real control plane here: run tools/kubernetes/build (it needs Go)";
}

RealControlPlane::RealControlPlane() : name_("e2e-" + std::to_string(getpid())) {
  // These two would taint and change every Node that is made here.
  const CommandResult up =
      RunCommand({kTools + "control-plane", "up", "--name", name_, "--parent-pid",
                  std::to_string(getpid()), "--json", "--without-controller",
                  "node-lifecycle-controller", "--without-controller", "ttl-controller"});
  if (up.exit_code != 0) throw std::runtime_error("control-plane up: " + up.output);
  const json::value state = json::parse(up.output);
  directory_ = json::value_to<std::string>(state.at("dir"));
  server_ = json::value_to<std::string>(state.at("server"));
  ca_file_ = json::value_to<std::string>(state.at("ca"));
  etcd_ = "http://127.0.0.1:" + std::to_string(state.at("ports").at("etcd").to_number<int>());
}

std::string RealControlPlane::Control(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{kTools + "control-plane"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--name", name_});
  const CommandResult done = RunCommand(command);
  if (done.exit_code != 0) throw std::runtime_error(arguments[0] + ": " + done.output);
  return done.output;
}

bool RealControlPlane::Compact() {
  Control({"compact"});
  return true;
}

std::string RealControlPlane::MakeIdentity(const std::string& name,
                                           const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"identity", name};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Control(arguments);
  return Kubeconfig(name);
}

}  // namespace millwright::e2e
