#include "controllers/drain/volume_id.h"

#include "kube/api/json_text.h"

namespace millwright::controllers {

namespace {

// Where CSI serves volumes of the old kinds, nodes name them in CSI's way. What both names have in
// common is the last part ("vol-1" of "aws://zone/vol-1").
constexpr std::string_view kIds[] = {
    "awsElasticBlockStore.volumeID",
    "gcePersistentDisk.pdName",
    "azureDisk.diskName",
    "cinder.volumeID",
    "vsphereVolume.volumePath",
};

}  // namespace

std::string VolumeIdFromSpec(const boost::json::value& spec) {
  const std::string_view handle = kube::GetString(spec, "csi.volumeHandle");
  if (!handle.empty()) return std::string(handle);
  for (const std::string_view path : kIds) {
    const std::string_view id = kube::GetString(spec, path);
    if (!id.empty()) return std::string(id.substr(id.rfind('/') + 1));
  }
  return {};
}

}  // namespace millwright::controllers
