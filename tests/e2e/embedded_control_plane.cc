#include "tests/e2e/embedded_control_plane.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace millwright::e2e {

namespace fs = std::filesystem;

EmbeddedControlPlane::EmbeddedControlPlane() {
  directory_ = fs::temp_directory_path() / ("millwright-e2e-" + std::to_string(getpid()));
  Start("0");
  ca_file_ = directory_ + "/pki/ca.crt";
  Identities({"accounts"});
}

EmbeddedControlPlane::~EmbeddedControlPlane() {
  process_.Kill();
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

void EmbeddedControlPlane::Start(const std::string& port) {
  const std::string line =
      process_.Start({MILLWRIGHT_BINARY, "standalone", "--data-dir", directory_, "--listen",
                      "127.0.0.1:" + port, "--dialect", "none", "--without-node-lifecycle"});
  const auto url = line.find("https://");
  if (url == line.npos) throw std::runtime_error("standalone: " + line);
  server_ = line.substr(url);
}

void EmbeddedControlPlane::RestartApiserver() {
  process_.Kill();
  // Its clients know it by this port.
  Start(server_.substr(server_.rfind(':') + 1));
}

std::string EmbeddedControlPlane::MakeIdentity(const std::string& name,
                                               const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"identity", name};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Identities(arguments);
  return Kubeconfig(name);
}

void EmbeddedControlPlane::Identities(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{
      "python3", std::string(MILLWRIGHT_SOURCE_DIR) + "/tests/e2e/embedded_identities.py",
      directory_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const CommandResult done = RunCommand(command);
  if (done.exit_code != 0) throw std::runtime_error("embedded identities: " + done.output);
}

}  // namespace millwright::e2e
