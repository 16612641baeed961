#include "dialects/capi/status/up_to_date.h"

#include <fmt/format.h>

#include "core/rollout/up_to_date.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

// The names of templates' kinds mean nothing to whoever looks at machines.
std::string KindMade(const Reference& current, const Reference& wished) {
  std::string kind = current.defined() ? current.kind : wished.kind;
  if (kind.ends_with(kTemplateSuffix)) kind.resize(kind.size() - kTemplateSuffix.size());
  return kind;
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += '\n';
    text += fmt::format("* {}", line);
  }
  return text;
}

Shown NotUpToDate(const std::vector<std::string>& lines) {
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kNotUpToDate),
          .message = Joined(lines)};
}

Shown StillUpdating(std::string line) {
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kUpdating),
          .message = fmt::format("* {}", line)};
}

}  // namespace

std::vector<std::string> RolloutDifferences(const MachineTemplate& current,
                                            const MachineTemplate& wished) {
  const MachineSpec& is = current.spec;
  const MachineSpec& wish = wished.spec;
  std::vector<std::string> lines;
  if (is.version != wish.version) {
    lines.push_back(fmt::format("Version {}, {} required", is.version, wish.version));
  }
  if (is.bootstrap != wish.bootstrap) {
    lines.push_back(fmt::format("{} is not up-to-date", KindMade(is.bootstrap, wish.bootstrap)));
  }
  if (is.data_secret != wish.data_secret) {
    lines.push_back(fmt::format("spec.bootstrap.dataSecretName {}, {} required",
                                is.data_secret.value_or("nil"), wish.data_secret.value_or("nil")));
  }
  if (is.infrastructure != wish.infrastructure) {
    lines.push_back(
        fmt::format("{} is not up-to-date", KindMade(is.infrastructure, wish.infrastructure)));
  }
  if (is.failure_domain != wish.failure_domain) {
    lines.push_back(
        fmt::format("Failure domain {}, {} required", is.failure_domain, wish.failure_domain));
  }
  return lines;
}

Shown ShowUpToDate(const SetRecord& set, const DeploymentRecord& deployment,
                   const UpToDateFacts& facts, WallTime now) {
  std::vector<std::string> lines =
      RolloutDifferences(set.spec.machine_template, deployment.spec.machine_template);
  const core::UpToDate verdict =
      core::JudgeUpToDate({.template_differences = {},
                           .rollout_after = deployment.spec.rollout_after,
                           .set_created = set.created,
                           .updating = facts.updating.has_value(),
                           .wished_version = facts.machine_version,
                           .node_version = facts.kubelet_version},
                          now);
  if (verdict == core::UpToDate::kRolloutDue) {
    lines.emplace_back("MachineDeployment spec.rolloutAfter expired");
  }
  if (!lines.empty()) return NotUpToDate(lines);
  if (verdict == core::UpToDate::kUpdating) return StillUpdating(*facts.updating);
  if (verdict == core::UpToDate::kOtherVersion) {
    return StillUpdating(fmt::format("Node.status.nodeInfo.kubeletVersion {}, {} required",
                                     facts.kubelet_version, facts.machine_version));
  }
  return {.status = Truth::kTrue, .reason = std::string(reasons::kUpToDate)};
}

}  // namespace millwright::dialects::capi
