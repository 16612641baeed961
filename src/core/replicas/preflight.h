// Whether a new machine of a set would fit its cluster now: versions that may run together, and a
// control plane that is not in the middle of something.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millwright::core {

enum class PreflightCheck {
  kControlPlaneIsStable,
  kVersionSkew,              // a node is not newer than the control plane, nor four versions older
  kBootstrapVersionSkew,     // the tool that joins it is of the control plane's version
  kControlPlaneVersionSkew,  // a managed cluster wants both alike
};

struct PreflightView {
  std::set<PreflightCheck> enabled;  // with those the user skips taken out
  bool has_control_plane = false;
  std::string control_plane_version;  // empty: it has none, and nothing can be checked
  bool control_plane_provisioning = false;
  bool control_plane_upgrading = false;
  bool managed = false;  // a topology rules the cluster
  std::string managed_version;
  std::string upgrade_step;     // the version that an upgrade in steps has reached
  std::string machine_version;  // empty: not said, nothing to compare
  bool bootstrap_needs_same_minor = false;
};

struct PreflightFailure {
  PreflightCheck check;
  std::string why;

  friend bool operator==(const PreflightFailure&, const PreflightFailure&) = default;
};

// Fails if a version cannot be read; an empty list means that nothing speaks against it.
Result<std::vector<PreflightFailure>> CheckPreflight(const PreflightView& view);

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
};

// "v1.31.2" with anything after it, as "-rc.1" or "+k3s1".
Result<Version> ParseVersion(std::string_view text);

}  // namespace millwright::core
