// Persistent volumes of the simulated cloud.
#pragma once

#include <string>
#include <string_view>

namespace millwright::providers {

inline constexpr std::string_view kSimulatedCsiDriver = "csi.simulated.millwright.dev";

// The id of a volume, from its PersistentVolume's spec: the handle, if it is of our driver. Empty
// for any other, and for what cannot be read.
std::string SimulatedVolumeId(std::string_view volume_spec);

}  // namespace millwright::providers
