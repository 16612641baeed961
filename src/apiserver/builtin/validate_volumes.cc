#include <set>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_pod.h"

namespace millwright::apiserver::builtin {

namespace {

// The one thing without which a source of that kind is of no use.
struct Needed {
  std::string_view source;
  std::string_view field;
};

constexpr Needed kNeeded[] = {
    {"secret", "secretName"}, {"configMap", "name"}, {"persistentVolumeClaim", "claimName"},
    {"nfs", "server"},        {"csi", "driver"},     {"hostPath", "path"},
};

bool IsSource(const std::string_view member) { return member != "name"; }

void CheckSource(std::string_view kind, const At& source, Faults& faults) {
  for (const auto& [name, field] : kNeeded) {
    if (name == kind && source[field].IsEmpty()) faults.Required(source[field]);
  }
  if (kind == "hostPath" && source["path"].Text().find("..") != std::string_view::npos) {
    faults.Invalid(source["path"], "must not contain '..'");
  }
}

void CheckVolume(const At& volume, Faults& faults) {
  int found = 0;
  for (const auto& [kind, ignored] : volume.Members()) {
    if (!IsSource(kind)) continue;
    const At source = volume[kind];
    if (found++ > 0) {
      faults.Forbidden(source, "may not specify more than 1 volume type");
    } else {
      CheckSource(kind, source, faults);
    }
  }
  if (found == 0) faults.Required(volume, "must specify a volume type");
}

}  // namespace

void CheckVolumes(const At& volumes, Faults& faults) {
  std::set<std::string_view> names;
  for (const At& volume : volumes.Items()) {
    CheckVolume(volume, faults);
    const At name = volume["name"];
    if (name.IsEmpty()) {
      faults.Required(name);
      continue;
    }
    faults.Invalid(name, kube::CheckDns1123Label(name.Text()));
    if (!names.insert(name.Text()).second) faults.Duplicate(name);
  }
}

}  // namespace millwright::apiserver::builtin
