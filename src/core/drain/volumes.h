// Volumes that have to leave a node before its instance goes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/drain/pod.h"

namespace millwright::core {

// Volumes by pod key, without those that several pods use: these leave only with the last of them.
std::map<std::string, std::vector<std::string>> ExclusiveVolumes(std::span<const Pod> pods);

// None of the volumes is part of the name of anything attached. Providers know volumes by ids that
// the node reports inside longer names.
bool HaveLeft(std::span<const std::string> volumes, std::span<const std::string> attached);

struct PersistentVolume {
  std::string name;
  std::string attached_name;         // how a node names it when attached; empty: it cannot say
  std::optional<std::string> claim;  // namespace/name
};

struct VolumeScene {
  bool node_exists = true;
  bool node_unreachable = false;
  std::vector<std::string> reported;      // by the node
  std::vector<std::string> attachments;   // persistent volumes with an attachment to it
  std::vector<PersistentVolume> volumes;  // all there are
  std::set<std::string> ignored_claims;   // of pods that stay on the node
};

// Who has to leave yet; each list sorted.
struct VolumesLeft {
  std::vector<std::string> claims;
  std::vector<std::string> unclaimed;     // persistent volumes without a claim
  std::vector<std::string> unknown;       // reported by the node, no volume is known
  std::vector<std::string> unattributed;  // attachments to volumes that are not known

  bool none() const {
    return claims.empty() && unclaimed.empty() && unknown.empty() && unattributed.empty();
  }

  friend bool operator==(const VolumesLeft&, const VolumesLeft&) = default;
};

VolumesLeft FindVolumesLeft(const VolumeScene& scene);

}  // namespace millwright::core
