#include "apiserver/kinds/columns.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>

#include <boost/json.hpp>

#include "apiserver/kinds/cells.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

struct Printer {
  // Columns with commas between them: "Name,Desired:integer,Images*"; a star is for -o wide.
  std::string_view columns;
  json::array (*cells)(const Shown& object);
};

const std::map<std::string_view, Printer>& Printers() {
  static const std::map<std::string_view, Printer> kPrinters = {
      {"ConfigMap", {"Name,Data,Age", ConfigMapCells}},
      {"Namespace", {"Name,Status,Age", NamespaceCells}},
      {"Node",
       {"Name,Status,Roles,Age,Version,Internal-IP*,External-IP*,OS-Image*,Kernel-Version*,"
        "Container-Runtime*",
        NodeCells}},
      {"Pod",
       {"Name,Ready,Status,Restarts,Age,IP*,Node*,Nominated Node*,Readiness Gates*", PodCells}},
      {"Secret", {"Name,Type,Data,Age", SecretCells}},
      {"ServiceAccount", {"Name,Age", NameAndAge}},
      {"Event",
       {"Last Seen,Type,Reason,Object,Subobject*,Source*,Message,First Seen*,Count*,Name*",
        EventCells}},
      {"PersistentVolume",
       {"Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,"
        "VolumeAttributesClass,Reason,Age,VolumeMode*",
        VolumeCells}},
      {"PersistentVolumeClaim",
       {"Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,"
        "VolumeMode*",
        ClaimCells}},
      {"Service", {"Name,Type,Cluster-IP,External-IP,Port(s),Age,Selector*", ServiceCells}},
      {"DaemonSet",
       {"Name,Desired:integer,Current:integer,Ready:integer,Up-to-date:integer,"
        "Available:integer,Node Selector,Age,Containers*,Images*,Selector*",
        DaemonSetCells}},
      {"Deployment",
       {"Name,Ready,Up-to-date,Available,Age,Containers*,Images*,Selector*", DeploymentCells}},
      {"ReplicaSet",
       {"Name,Desired:integer,Current:integer,Ready:integer,Age,Containers*,Images*,Selector*",
        ReplicaSetCells}},
      {"ReplicationController",
       {"Name,Desired:integer,Current:integer,Ready:integer,Age,Containers*,Images*,Selector*",
        ReplicationControllerCells}},
      {"StatefulSet", {"Name,Ready,Age,Containers*,Images*", StatefulSetCells}},
      {"Job", {"Name,Status,Completions,Duration,Age,Containers*,Images*,Selector*", JobCells}},
      {"CertificateSigningRequest",
       {"Name,Age,SignerName,Requestor,RequestedDuration,Condition", SigningRequestCells}},
      {"Lease", {"Name,Holder,Age", LeaseCells}},
      {"PodDisruptionBudget",
       {"Name,Min Available,Max Unavailable,Allowed Disruptions:integer,Age", BudgetCells}},
      {"ClusterRoleBinding", {"Name,Role,Age,Users*,Groups*,ServiceAccounts*", BindingCells}},
      {"RoleBinding", {"Name,Role,Age,Users*,Groups*,ServiceAccounts*", BindingCells}},
      {"PriorityClass",
       {"Name,Value:integer,Global-Default:boolean,Age,PreemptionPolicy", PriorityCells}},
      {"CSINode", {"Name,Drivers:integer,Age", CsiNodeCells}},
      {"StorageClass",
       {"Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age",
        StorageClassCells}},
      {"VolumeAttachment", {"Name,Attacher:name,PV,Node,Attached:boolean,Age", AttachmentCells}},
      {"MutatingWebhookConfiguration", {"Name,Webhooks:integer,Age", WebhookCells}},
      {"ValidatingWebhookConfiguration", {"Name,Webhooks:integer,Age", WebhookCells}},
  };
  return kPrinters;
}

PrinterColumn ColumnOf(std::string_view text) {
  const bool wide = text.ends_with('*');
  if (wide) text.remove_suffix(1);
  const auto colon = text.find(':');
  const std::string_view said =
      colon == text.npos ? std::string_view("string") : text.substr(colon + 1);
  const std::string_view name = text.substr(0, colon);
  const bool is_name = name == "Name" || said == "name";
  return {.name = std::string(name),
          .type = is_name ? "string" : std::string(said),
          .json_path = {},
          .format = is_name ? "name" : "",
          .priority = wide ? 1 : 0};
}

}  // namespace

void AddColumns(Resource& resource) {
  const auto printer = Printers().find(resource.kind.kind);
  if (printer == Printers().end()) {
    resource.columns = {{.name = "Name", .type = "string", .json_path = {}, .format = "name"},
                        {.name = "Created At", .type = "date", .json_path = {}}};
    resource.cells = [](const json::value& object, WallTime now) {
      return NameAndTime(Shown(object, now));
    };
    return;
  }
  for (const auto column : std::views::split(printer->second.columns, ',')) {
    resource.columns.push_back(ColumnOf(std::string_view(column.begin(), column.end())));
  }
  resource.cells = [make = printer->second.cells](const json::value& object, WallTime now) {
    return make(Shown(object, now));
  };
}

}  // namespace millwright::apiserver
