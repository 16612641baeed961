#include "tests/e2e/control_plane.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "tests/e2e/embedded_control_plane.h"
#include "tests/e2e/real_control_plane.h"

namespace millwright::e2e {

namespace {

bool IsEmbedded() {
  const char* server = std::getenv("MILLWRIGHT_E2E_SERVER");
  return server != nullptr && std::string_view(server) == "embedded";
}

std::unique_ptr<ControlPlane> Make() {
  if (IsEmbedded()) return std::make_unique<EmbeddedControlPlane>();
  return std::make_unique<RealControlPlane>();
}

}  // namespace

std::string ControlPlane::Missing() {
  return IsEmbedded() ? std::string() : RealControlPlane::Missing();
}

ControlPlane& ControlPlane::Shared() {
  static const std::unique_ptr<ControlPlane> plane = Make();
  return *plane;
}

std::string ControlPlane::Kubeconfig(const std::string& user) const {
  return directory_ + "/kubeconfigs/" + user + ".yaml";
}

}  // namespace millwright::e2e
