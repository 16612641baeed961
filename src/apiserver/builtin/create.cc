#include "apiserver/builtin/create.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/builtin/defaults.h"
#include "apiserver/builtin/job_labels.h"
#include "apiserver/builtin/json_edit.h"
#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/pod_admission.h"

namespace millwright::apiserver {

namespace json = boost::json;

using builtin::MakeList;
using builtin::MakeObject;
using builtin::ObjectOf;
using builtin::SetMissing;
using builtin::TextOf;

namespace {

using Prepare = void (*)(json::object& object);

// Nobody is born with a past.
void ForgetStatus(json::object& object) { object.erase("status"); }

void PrepareNamespace(json::object& object) {
  ForgetStatus(object);
  json::array& finalizers = MakeList(MakeObject(object, "spec"), "finalizers");
  const json::value ours = "kubernetes";
  if (std::ranges::find(finalizers, ours) == finalizers.end()) finalizers.push_back(ours);
}

// Until the node controllers have seen it.
void PrepareNode(json::object& node) {
  const json::object taint{{"key", "node.kubernetes.io/not-ready"}, {"effect", "NoSchedule"}};
  json::array& taints = MakeList(MakeObject(node, "spec"), "taints");
  const bool there = std::ranges::any_of(taints, [&](const json::value& one) {
    return one.is_object() && TextOf(one.get_object(), "key") == taint.at("key").get_string() &&
           TextOf(one.get_object(), "effect") == taint.at("effect").get_string();
  });
  if (!there) taints.push_back(taint);
}

void PrepareDaemonSet(json::object& set) {
  ForgetStatus(set);
  MakeObject(MakeObject(set, "metadata"),
             "annotations")["deprecated.daemonset.template.generation"] = "1";
}

void PrepareVolume(json::object& volume) {
  ForgetStatus(volume);
  const std::string_view now = TextOf(MakeObject(volume, "metadata"), "creationTimestamp");
  if (!now.empty()) {
    const json::value time(now);
    MakeObject(volume, "status")["lastPhaseTransitionTime"] = time;
  }
}

// One family of addresses; which one is the network's business, and ours has the older.
void PrepareService(json::object& service) {
  ForgetStatus(service);
  json::object& spec = MakeObject(service, "spec");
  if (TextOf(spec, "type") == "ExternalName") return;
  if (TextOf(spec, "clusterIP") == "None") spec["clusterIPs"] = json::array{"None"};
  SetMissing(spec, "ipFamilyPolicy", "SingleStack");
  if (builtin::ListIsEmpty(spec, "ipFamilies")) spec["ipFamilies"] = json::array{"IPv4"};
}

void PreparePod(json::object& pod) {
  builtin::AdmitNewPod(pod);
  const json::object* spec = ObjectOf(pod, "spec");
  pod["status"] = json::object{{"phase", "Pending"},
                               {"qosClass", spec == nullptr ? "" : builtin::QosClass(*spec)}};
}

void PrepareJob(json::object& job) {
  ForgetStatus(job);
  builtin::LabelJob(job);
}

// Fields of a feature that is off by default.
void PrepareLease(json::object& lease) {
  json::object& spec = MakeObject(lease, "spec");
  spec.erase("strategy");
  spec.erase("preferredHolder");
}

constexpr std::array<std::pair<std::string_view, Prepare>, 21> kCreates = {{
    {"/Namespace", PrepareNamespace},
    {"/Node", PrepareNode},
    {"/PersistentVolume", PrepareVolume},
    {"/PersistentVolumeClaim", ForgetStatus},
    {"/Pod", PreparePod},
    {"/ReplicationController", ForgetStatus},
    {"/ResourceQuota", ForgetStatus},
    {"/Service", PrepareService},
    {"apiextensions.k8s.io/CustomResourceDefinition", ForgetStatus},
    {"apiregistration.k8s.io/APIService", ForgetStatus},
    {"apps/DaemonSet", PrepareDaemonSet},
    {"apps/Deployment", ForgetStatus},
    {"apps/ReplicaSet", ForgetStatus},
    {"apps/StatefulSet", ForgetStatus},
    {"batch/Job", PrepareJob},
    {"certificates.k8s.io/CertificateSigningRequest", ForgetStatus},
    {"coordination.k8s.io/Lease", PrepareLease},
    {"policy/PodDisruptionBudget", ForgetStatus},
    {"storage.k8s.io/VolumeAttachment", ForgetStatus},
    {"authentication.k8s.io/TokenReview", ForgetStatus},
    {"authorization.k8s.io/SubjectAccessReview", ForgetStatus},
}};

void Keep(const json::object& old, json::object& object, std::string_view name) {
  const json::value* value = old.if_contains(name);
  if (value == nullptr) {
    object.erase(name);
  } else {
    object[name] = *value;
  }
}

void KeepAllocated(const json::object& old, json::object& service) {
  const json::object* before = ObjectOf(old, "spec");
  json::object& spec = MakeObject(service, "spec");
  if (before == nullptr || TextOf(spec, "type") == "ExternalName") return;
  for (const char* field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    const json::value* had = before->if_contains(field);
    if (had != nullptr && !spec.contains(field)) spec[field] = *had;
  }
}

// What was normalized before cannot fail now.
void Complete(const kube::GroupVersionKind& kind, json::value& object) {
  static_cast<void>(NormalizeBuiltin(kind, object));
  ApplyBuiltinDefaults(kind, object);
}

}  // namespace

void PrepareBuiltinCreate(const kube::GroupVersionKind& kind, json::value& object) {
  const std::string name = kind.group + "/" + kind.kind;
  const auto* found =
      std::ranges::find(kCreates, name, &std::pair<std::string_view, Prepare>::first);
  if (found == kCreates.end() || !object.is_object()) return;
  found->second(object.get_object());
  Complete(kind, object);
}

void PrepareBuiltinUpdate(const kube::GroupVersionKind& kind, bool status, const json::value& old,
                          json::value& object) {
  if (status || !object.is_object() || !old.is_object()) return;
  const json::object& before = old.get_object();
  json::object& after = object.get_object();
  if (kind.group.empty() && kind.kind == "Pod") {
    builtin::AdmitChangedPod(before, after);
  } else if (kind.group.empty() && kind.kind == "Namespace") {
    Keep(before, after, "spec");
    Keep(before, after, "status");
  } else if (kind.group.empty() && kind.kind == "Service") {
    KeepAllocated(before, after);
  } else if (kind.group == "coordination.k8s.io") {
    PrepareLease(after);
  } else if (kind.group == "certificates.k8s.io") {
    Keep(before, after, "spec");
  } else {
    return;
  }
  Complete(kind, object);
}

}  // namespace millwright::apiserver
