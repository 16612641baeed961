#include "core/replicas/preflight.h"

#include <charconv>

namespace millwright::core {
namespace {

constexpr int kOldestMinor = 3;

class Checker {
 public:
  explicit Checker(const PreflightView& view) : view_(view) {}

  void Fail(PreflightCheck check, std::string why) {
    if (view_.enabled.contains(check)) failures_.push_back({check, std::move(why)});
  }

  void Stability() {
    const auto check = PreflightCheck::kControlPlaneIsStable;
    const bool mismatch = view_.managed && view_.managed_version != view_.control_plane_version &&
                          view_.upgrade_step != view_.control_plane_version;
    if (mismatch) Fail(check, "the control plane does not have the cluster's version yet");
    if (view_.control_plane_provisioning) Fail(check, "the control plane is being provisioned");
    if (view_.control_plane_upgrading) Fail(check, "the control plane is being upgraded");
  }

  void Versions(const Version& plane, const Version& machine) {
    if (machine.minor > plane.minor) {
      Fail(PreflightCheck::kVersionSkew, "the machine would be newer than the control plane");
    } else if (machine.minor + kOldestMinor < plane.minor) {
      Fail(PreflightCheck::kVersionSkew, "the machine would be too old for the control plane");
    }
    if (view_.bootstrap_needs_same_minor && machine.minor != plane.minor) {
      Fail(PreflightCheck::kBootstrapVersionSkew, "a machine of another version could not join");
    }
    if (view_.managed && view_.machine_version != view_.control_plane_version) {
      Fail(PreflightCheck::kControlPlaneVersionSkew, "the control plane has another version");
    }
  }

  std::vector<PreflightFailure> Take() { return std::move(failures_); }

 private:
  const PreflightView& view_;
  std::vector<PreflightFailure> failures_;
};

}  // namespace

Result<Version> ParseVersion(std::string_view text) {
  const std::string shown(text);
  if (text.starts_with('v')) text.remove_prefix(1);
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    const bool separated = i == 2 || (next != end && *next == '.');
    if (error != std::errc() || *parts[i] < 0 || !separated) {
      return millwright::Fail(ErrorKind::kInvalid, "\"" + shown + "\" is no version");
    }
    at = i == 2 ? next : next + 1;
  }
  if (at != end && *at != '-' && *at != '+') {
    return millwright::Fail(ErrorKind::kInvalid, "\"" + shown + "\" is no version");
  }
  return version;
}

Result<std::vector<PreflightFailure>> CheckPreflight(const PreflightView& view) {
  if (view.enabled.empty() || !view.has_control_plane || view.control_plane_version.empty()) {
    return std::vector<PreflightFailure>{};
  }
  TRY(const Version plane, ParseVersion(view.control_plane_version));
  Checker checker(view);
  checker.Stability();
  if (!view.machine_version.empty()) {
    TRY(const Version machine, ParseVersion(view.machine_version));
    checker.Versions(plane, machine);
  }
  return checker.Take();
}

}  // namespace millwright::core
