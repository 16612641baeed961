// Volumes, claims, classes and what attaches them.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

// The fields of a volume that are not its source.
constexpr std::array<std::string_view, 10> kNoSources = {"capacity",
                                                         "accessModes",
                                                         "claimRef",
                                                         "persistentVolumeReclaimPolicy",
                                                         "storageClassName",
                                                         "mountOptions",
                                                         "volumeMode",
                                                         "nodeAffinity",
                                                         "volumeAttributesClassName",
                                                         "status"};

bool IsSource(std::string_view field) {
  return std::ranges::find(kNoSources, field) == kNoSources.end();
}

void CheckModes(const At& modes, Faults& faults) {
  for (const At& mode : modes.Items()) {
    CheckOneOf(mode.Named(modes.path()),
               {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"}, faults);
  }
}

bool IsPositive(const At& amount) {
  const auto quantity = kube::ParseQuantity(amount.Text());
  return quantity && !quantity->IsZero() && !quantity->IsNegative();
}

void CheckClassName(const At& name, Faults& faults) {
  if (!name.IsEmpty()) CheckSubdomain(name, faults);
}

void CheckSourceFields(std::string_view kind, const At& source, Faults& faults) {
  if (kind == "hostPath") {
    if (source["path"].IsEmpty()) {
      faults.Required(source["path"]);
    } else if (source["path"].Text().find("..") != std::string_view::npos) {
      faults.Invalid(source["path"], "must not contain '..'");
    }
  } else if (kind == "csi") {
    if (source["driver"].IsEmpty()) faults.Required(source["driver"]);
    if (source["volumeHandle"].IsEmpty()) faults.Required(source["volumeHandle"]);
  } else if (kind == "nfs") {
    if (source["server"].IsEmpty()) faults.Required(source["server"]);
    if (source["path"].IsEmpty()) faults.Required(source["path"]);
  }
}

// In the order of a volume's sources, the first is the one and the others are too many.
void CheckSources(const At& spec, Faults& faults) {
  std::vector<std::string_view> sources;
  for (const auto& [field, ignored] : spec.Members()) {
    if (IsSource(field)) sources.push_back(field);
  }
  if (sources.empty()) return faults.Required(spec, "must specify a volume type");
  CheckSourceFields(sources.front(), spec[sources.front()], faults);
  for (std::size_t i = 1; i < sources.size(); ++i) {
    faults.Forbidden(spec[sources[i]], "may not specify more than 1 volume type");
  }
}

void CheckCapacity(const At& capacity, Faults& faults) {
  if (capacity.Size() == 0) faults.Required(capacity);
  const At storage = capacity.Key("storage");
  if (!storage.IsSet() || capacity.Size() > 1) {
    faults.Add(kube::NotSupportedError(capacity.path(), capacity.value(), {"storage"}));
  }
  for (const auto& [name, amount] : capacity.Members()) {
    const auto quantity = kube::ParseQuantity(amount.Text());
    if (!quantity || IsPositive(amount)) continue;
    if (quantity->IsNegative()) {
      faults.Invalid(amount, json::value(quantity->Value()), "must be a valid resource quantity");
    }
    faults.Invalid(amount, "must be greater than zero");
  }
}

json::object OnlySources(const At& spec) {
  json::object sources;
  for (const auto& [field, at] : spec.Members()) {
    if (IsSource(field)) sources[field] = at.value();
  }
  return sources;
}

void CheckVolumeChange(const At& spec, const At& old, Faults& faults) {
  if (OnlySources(spec) != OnlySources(old)) {
    const std::string path = spec.path() + ".persistentvolumesource";
    faults.Forbidden(spec.Named(path), path + " is immutable after creation");
  }
  CheckUnchanged(spec["volumeMode"].Named("volumeMode"), old["volumeMode"], faults);
}

// With what may change as it was.
json::value ClaimAsBefore(const At& claim, const At& old) {
  json::value spec = claim["spec"].value();
  if (!spec.is_object()) return spec;
  json::object& object = spec.get_object();
  const At before = old["spec"];
  if (before["volumeName"].IsEmpty()) object.erase("volumeName");
  if (!before["storageClassName"].IsSet()) object.erase("storageClassName");
  if (claim["status"]["phase"].Text() == "Bound") {
    object["resources"] = before["resources"].value();
    object.erase("volumeAttributesClassName");
    if (before["volumeAttributesClassName"].IsSet()) {
      object["volumeAttributesClassName"] = before["volumeAttributesClassName"].value();
    }
  }
  return spec;
}

void CheckClaimChange(const At& claim, const At& old, Faults& faults) {
  const json::value spec = ClaimAsBefore(claim, old);
  if (!Same(At(spec), old["spec"])) {
    faults.Forbidden(claim["spec"],
                     "spec is immutable after creation except resources.requests and "
                     "volumeAttributesClassName for bound claims");
  }
  CheckUnchanged(claim["spec"]["volumeMode"].Named("volumeMode"), old["spec"]["volumeMode"],
                 faults);
}

// The changed driver is shown.
void CheckDriverChange(const At& drivers, const At& old, Faults& faults) {
  for (const At& driver : drivers.Items()) {
    for (const At& before : old.Items()) {
      if (driver["name"].Text() != before["name"].Text() || Same(driver, before)) continue;
      faults.InvalidStruct(drivers,
                           GoStructText({{"Name", driver["name"]},
                                         {"NodeID", driver["nodeID"]},
                                         {"TopologyKeys", driver["topologyKeys"]},
                                         {"Allocatable", driver["allocatable"]}}),
                           std::string(kImmutable));
    }
  }
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace

void ValidateVolume(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  if (spec["accessModes"].Size() == 0) faults.Required(spec["accessModes"]);
  CheckModes(spec["accessModes"], faults);
  CheckCapacity(spec["capacity"], faults);
  CheckOneOf(spec["persistentVolumeReclaimPolicy"], {"Delete", "Recycle", "Retain"}, faults);
  CheckSources(spec, faults);
  CheckClassName(spec["storageClassName"], faults);
  CheckOneOf(spec["volumeMode"], {"Block", "Filesystem"}, faults);
  if (old != nullptr) CheckVolumeChange(spec, (*old)["spec"], faults);
}

void ValidateClaim(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  if (spec["accessModes"].Size() == 0) {
    faults.Required(spec["accessModes"], "at least 1 access mode is required");
  }
  CheckModes(spec["accessModes"], faults);
  CheckLabelSelector(spec["selector"], faults);
  const At storage =
      spec["resources"]["requests"].Key("storage").Named(spec["resources"].path() + "[storage]");
  if (!storage.IsSet()) {
    faults.Required(storage);
  } else if (!IsPositive(storage)) {
    faults.Invalid(storage, "must be greater than zero");
  }
  CheckClassName(spec["storageClassName"], faults);
  CheckOneOf(spec["volumeMode"], {"Block", "Filesystem"}, faults);
  if (old != nullptr) CheckClaimChange(object, *old, faults);
}

void ValidateStorageClass(const At& object, const At* old, Faults& faults) {
  const At provisioner = object["provisioner"];
  if (provisioner.IsEmpty()) faults.Required(provisioner);
  if (!provisioner.IsEmpty()) {
    const json::value lower(Lower(provisioner.Text()));
    for (const auto& complaint : kube::CheckQualifiedName(lower.get_string())) {
      faults.Invalid(provisioner, lower, complaint);
    }
  }
  for (const auto& [key, value] : object["parameters"].Members()) {
    if (key.empty())
      faults.Invalid(object["parameters"], json::value(""), "field can not be empty.");
  }
  if (object["reclaimPolicy"].IsSet()) {
    CheckOneOf(object["reclaimPolicy"], {"Delete", "Retain"}, faults);
  }
  CheckOneOf(object["volumeBindingMode"], {"Immediate", "WaitForFirstConsumer"}, faults);
  if (old == nullptr) return;
  for (const char* field : {"parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"}) {
    CheckUnchanged(object[field], (*old)[field], faults);
  }
}

void ValidateVolumeAttachment(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  if (spec["attacher"].IsEmpty()) {
    faults.Required(spec["attacher"]);
  } else {
    CheckSubdomain(spec["attacher"], faults);
  }
  const At source = spec["source"];
  if (source["persistentVolumeName"].IsSet() == source["inlineVolumeSpec"].IsSet()) {
    faults.Required(source,
                    "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
  }
  CheckSubdomain(spec["nodeName"], faults);
  if (old == nullptr || Same(spec, (*old)["spec"])) return;
  const std::string shown_source =
      GoStructText({{"PersistentVolumeName", source["persistentVolumeName"]},
                    {"InlineVolumeSpec", source["inlineVolumeSpec"]}});
  std::string shown = GoStructText({{"Attacher", spec["attacher"]}});
  shown.pop_back();
  shown += ",\"Source\":" + shown_source + "," +
           GoStructText({{"NodeName", spec["nodeName"]}}).substr(1);
  faults.InvalidStruct(spec, shown, std::string(kImmutable));
}

void ValidateCsiNode(const At& object, const At* old, Faults& faults) {
  std::set<std::string_view> names;
  const At drivers = object["spec"]["drivers"];
  for (const At& driver : drivers.Items()) {
    const At name = driver["name"];
    if (name.IsEmpty()) {
      faults.Required(name);
    } else {
      CheckSubdomain(name, faults);
      if (!names.insert(name.Text()).second) faults.Duplicate(name);
    }
    if (driver["nodeID"].IsEmpty()) faults.Required(driver["nodeID"]);
    CheckNotNegative(driver["allocatable"]["count"], faults);
    for (const At& key : driver["topologyKeys"].Items()) {
      faults.Invalid(key.Named(driver.path()), kube::CheckQualifiedName(key.Text()));
    }
  }
  if (old != nullptr) CheckDriverChange(drivers, (*old)["spec"]["drivers"], faults);
}

}  // namespace millwright::apiserver::builtin
