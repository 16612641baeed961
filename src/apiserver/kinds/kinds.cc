#include "apiserver/kinds/kinds.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <string_view>

#include <boost/json.hpp>

#include "apiserver/builtin/create.h"
#include "apiserver/builtin/defaults.h"
#include "apiserver/builtin/names.h"
#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/schema.h"
#include "apiserver/builtin/validate.h"
#include "apiserver/kinds/columns.h"
#include "apiserver/kinds/event_form.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// What a kind has beyond the usual.
enum Flags : unsigned {
  kPlain = 0,
  kCluster = 1,         // not in namespaces
  kStatus = 2,          // the endpoint /status
  kGeneration = 4,      // metadata.generation
  kScale = 8,           // the endpoint /scale
  kCreateByUpdate = 16  // PUT creates
};

struct Row {
  std::string_view api_version;
  std::string_view kind;
  std::string_view plural;
  unsigned flags = kPlain;
  std::string_view short_names = {};  // with commas between them
  std::string_view categories = {};
  std::string_view fields =
      {};  // that can be selected by; "=x": what absence counts as; "<a|b": where else it stands
};

constexpr std::string_view kPodFields =
    "spec.nodeName,spec.restartPolicy,spec.schedulerName,spec.serviceAccountName,"
    "spec.hostNetwork=false,status.phase,status.podIP,status.nominatedNodeName";
constexpr std::string_view kEventFields =
    "involvedObject.kind,involvedObject.namespace,involvedObject.name,involvedObject.uid,"
    "involvedObject.apiVersion,involvedObject.resourceVersion,involvedObject.fieldPath,reason,"
    "reportingComponent,source<source.component|reportingComponent,type";

constexpr const char* kJobsKeepPods =
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background "
    "to remove them or set propagationPolicy=Orphan to suppress this warning";

constexpr Row kRows[] = {
    {"v1", "ConfigMap", "configmaps", kPlain, "cm"},
    {"v1", "Endpoints", "endpoints", kCreateByUpdate, "ep"},
    {"v1", "Event", "events", kCreateByUpdate, "ev", "", kEventFields},
    {"v1", "LimitRange", "limitranges", kCreateByUpdate, "limits"},
    {"v1", "Namespace", "namespaces", kCluster | kStatus, "ns", "", "status.phase"},
    {"v1", "Node", "nodes", kCluster | kStatus, "no", "", "spec.unschedulable=false"},
    {"v1", "PersistentVolume", "persistentvolumes", kCluster | kStatus, "pv"},
    {"v1", "PersistentVolumeClaim", "persistentvolumeclaims", kStatus, "pvc"},
    {"v1", "Pod", "pods", kStatus | kGeneration, "po", "all", kPodFields},
    {"v1", "ReplicationController", "replicationcontrollers", kStatus | kGeneration | kScale, "rc",
     "all", "status.replicas=0"},
    {"v1", "ResourceQuota", "resourcequotas", kStatus, "quota"},
    {"v1", "Secret", "secrets", kPlain, "", "", "type"},
    {"v1", "Service", "services", kStatus | kCreateByUpdate, "svc", "all",
     "spec.clusterIP,spec.type"},
    {"v1", "ServiceAccount", "serviceaccounts", kPlain, "sa"},
    {"apps/v1", "ControllerRevision", "controllerrevisions"},
    {"apps/v1", "DaemonSet", "daemonsets", kStatus | kGeneration, "ds", "all"},
    {"apps/v1", "Deployment", "deployments", kStatus | kGeneration | kScale, "deploy", "all"},
    {"apps/v1", "ReplicaSet", "replicasets", kStatus | kGeneration | kScale, "rs", "all",
     "status.replicas=0"},
    {"apps/v1", "StatefulSet", "statefulsets", kStatus | kGeneration | kScale, "sts", "all"},
    {"batch/v1", "Job", "jobs", kStatus | kGeneration, "", "all", "status.successful=0"},
    {"certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests",
     kCluster | kStatus, "csr", "", "spec.signerName"},
    {"coordination.k8s.io/v1", "Lease", "leases", kCreateByUpdate},
    {"discovery.k8s.io/v1", "EndpointSlice", "endpointslices", kGeneration},
    {"events.k8s.io/v1", "Event", "events", kCreateByUpdate, "ev", "",
     "regarding.kind,regarding.namespace,regarding.name,regarding.uid,regarding.apiVersion,"
     "regarding.resourceVersion,regarding.fieldPath,reason,reportingController,type"},
    {"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", kStatus | kGeneration, "pdb"},
    {"rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", kCluster | kCreateByUpdate},
    {"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings",
     kCluster | kCreateByUpdate},
    {"rbac.authorization.k8s.io/v1", "Role", "roles", kCreateByUpdate},
    {"rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", kCreateByUpdate},
    {"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", kCluster | kGeneration, "pc"},
    {"storage.k8s.io/v1", "CSINode", "csinodes", kCluster},
    {"storage.k8s.io/v1", "StorageClass", "storageclasses", kCluster, "sc"},
    {"storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", kCluster | kStatus},
    {"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration",
     "mutatingwebhookconfigurations", kCluster | kGeneration, "", "api-extensions"},
    {"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration",
     "validatingwebhookconfigurations", kCluster | kGeneration, "", "api-extensions"},
    {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions",
     kCluster | kStatus | kGeneration, "crd,crds", "api-extensions"},
};

std::vector<std::string> Words(std::string_view text, char between = ',') {
  std::vector<std::string> words;
  if (text.empty()) return words;
  for (const auto word : std::views::split(text, between)) {
    words.emplace_back(std::string_view(word.begin(), word.end()));
  }
  return words;
}

std::vector<SelectableField> FieldsOf(std::string_view text) {
  std::vector<SelectableField> fields;
  for (const std::string& word : Words(text)) {
    const auto equals = word.find('=');
    const auto places = word.find('<');
    fields.push_back({.path = word.substr(0, std::min(equals, places)),
                      .absent = equals == word.npos ? "" : word.substr(equals + 1),
                      .read_from = places == word.npos ? std::vector<std::string>()
                                                       : Words(word.substr(places + 1), '|')});
  }
  return fields;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

KindRules RulesOf(const kube::GroupVersionKind& kind) {
  return {
      .check_name = [kind](std::string_view name) { return CheckBuiltinName(kind, name); },
      .normalize = [kind](json::value& object) { return NormalizeBuiltin(kind, object); },
      .set_defaults = [kind](json::value& object) { ApplyBuiltinDefaults(kind, object); },
      .validate = [kind](const json::value& object,
                         const json::value* old) { return ValidateBuiltin(kind, object, old); },
      .prepare =
          [kind](json::value& object, const json::value* old) {
            if (old == nullptr) {
              PrepareBuiltinCreate(kind, object);
            } else {
              PrepareBuiltinUpdate(kind, false, *old, object);
            }
          },
      .mark_removal = nullptr,
  };
}

ResourcePtr ResourceOf(const Row& row) {
  const kube::GroupVersionKind kind =
      kube::ParseGroupVersionKind(row.api_version, row.kind).value();
  Resource resource{.kind = kind,
                    .plural = std::string(row.plural),
                    .singular = Lower(row.kind),
                    .list_kind = std::string(row.kind) + "List",
                    .short_names = Words(row.short_names),
                    .categories = Words(row.categories),
                    .namespaced = (row.flags & kCluster) == 0,
                    .has_status = (row.flags & kStatus) != 0,
                    .tracks_generation = (row.flags & kGeneration) != 0,
                    .create_on_update = (row.flags & kCreateByUpdate) != 0,
                    .graceful = row.kind == "Pod",
                    .selectable_fields = FieldsOf(row.fields),
                    .storage_version = kind.version};
  if ((row.flags & kScale) != 0) {
    resource.scale = ScalePaths{.label_selector = ".spec.selector"};
  }
  // Each is kept as it was written, and read in the form of whoever asks.
  if (row.kind == "Event") resource.converter = EventConverter();
  // Each is emptied before it goes: nobody deletes them all at once.
  if (row.kind == "Namespace") std::erase(resource.verbs, "deletecollection");
  if (row.kind == "ReplicationController") resource.orphan_warning = "";
  if (row.kind == "Job") resource.orphan_warning = kJobsKeepPods;
  AddColumns(resource);
  resource.schema = [kind] { return BuiltinSchema(kind); };
  resource.rules = RulesOf(kind);
  return std::make_shared<const Resource>(std::move(resource));
}

}  // namespace

void AddBuiltinKinds(Registry& registry) {
  for (const Row& row : kRows) registry.Add(ResourceOf(row));
}

}  // namespace millwright::apiserver
