// `millwright rollout` in kubectl's words, so that whoever scripts kubectl can script this.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialects/deployment_record.h"

namespace millwright::cli {

struct RolloutLook {
  enum class Outcome { kGoesOn, kDone, kFailed };

  Outcome outcome = Outcome::kGoesOn;
  std::string text;

  friend bool operator==(const RolloutLook&, const RolloutLook&) = default;
};

// `noun` is what the deployment is called: "machinedeployment". `revision`: it has to be that one;
// 0: any.
RolloutLook LookAtRollout(const dialects::DeploymentRecord& deployment, std::string_view noun,
                          std::int64_t revision);

struct Revision {
  std::int64_t number = 0;    // 0: none yet
  std::string cause;          // why it was made, if somebody said so
  std::string template_text;  // JSON
  bool current = false;       // its template is the deployment's

  friend bool operator==(const Revision&, const Revision&) = default;
};

// What the annotations of a set say about the reason of its change.
std::string CauseIn(const kube::Labels& annotations);

// The oldest first, without those that have no number yet.
std::vector<Revision> InOrder(std::vector<Revision> revisions);
std::string HistoryText(std::span<const Revision> revisions);

// The revision to go back to; `wanted` 0: the one before the present one.
struct UndoPlan {
  std::int64_t revision = 0;
  bool needless = false;  // it is the present one already
};
Result<UndoPlan> PlanUndo(const dialects::DeploymentRecord& deployment,
                          std::span<const Revision> revisions, std::int64_t wanted);

// Merge patches of a deployment, as every dialect has them, and as those have them that follow
// Deployments of Kubernetes.
boost::json::object PausePatch(bool paused);
boost::json::object RollbackPatch(std::int64_t revision);
boost::json::object RestartedPatch(WallTime now);

}  // namespace millwright::cli
