#include "core/drain/volumes.h"

#include <algorithm>

namespace millwright::core {

std::map<std::string, std::vector<std::string>> ExclusiveVolumes(std::span<const Pod> pods) {
  std::map<std::string, int> users;
  for (const Pod& pod : pods) {
    for (const std::string& volume : std::set(pod.volumes.begin(), pod.volumes.end()))
      ++users[volume];
  }
  std::map<std::string, std::vector<std::string>> exclusive;
  for (const Pod& pod : pods) {
    for (const std::string& volume : pod.volumes) {
      if (users[volume] == 1) exclusive[pod.key].push_back(volume);
    }
  }
  return exclusive;
}

bool HaveLeft(std::span<const std::string> volumes, std::span<const std::string> attached) {
  return std::ranges::none_of(volumes, [&](const std::string& volume) {
    return std::ranges::any_of(attached, [&](const std::string& name) {
      return !volume.empty() && name.find(volume) != std::string::npos;
    });
  });
}

VolumesLeft FindVolumesLeft(const VolumeScene& scene) {
  VolumesLeft left;
  // A node that nobody can reach will not let go of anything; waiting would be for ever.
  if (!scene.node_exists || scene.node_unreachable) return left;
  std::set<std::string> unknown(scene.reported.begin(), scene.reported.end());
  std::set<std::string> unattributed(scene.attachments.begin(), scene.attachments.end());
  for (const PersistentVolume& volume : scene.volumes) {
    const bool reported = !volume.attached_name.empty() && unknown.erase(volume.attached_name) > 0;
    const bool attached = unattributed.erase(volume.name) > 0;
    if (!reported && !attached) continue;
    if (!volume.claim) {
      left.unclaimed.push_back(volume.name);
    } else if (!scene.ignored_claims.contains(*volume.claim)) {
      left.claims.push_back(*volume.claim);
    }
  }
  left.unknown.assign(unknown.begin(), unknown.end());
  left.unattributed.assign(unattributed.begin(), unattributed.end());
  std::ranges::sort(left.claims);
  std::ranges::sort(left.unclaimed);
  return left;
}

}  // namespace millwright::core
