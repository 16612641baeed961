#include "apiserver/auth/authz/builtin_roles.h"

#include <iterator>

#include "apiserver/auth/authz/builtin_rule.h"

namespace millwright::apiserver {

namespace {

using Roles = std::vector<BuiltinRole>;

PolicyRules ViewRules() {
  return {
      OnResources(
          kRead, "core",
          "bindings configmaps endpoints limitranges namespaces namespaces/status "
          "persistentvolumeclaims persistentvolumeclaims/status pods pods/log pods/status "
          "replicationcontrollers replicationcontrollers/scale replicationcontrollers/status "
          "resourcequotas resourcequotas/status serviceaccounts services services/status"),
      OnResources(kRead, "core events.k8s.io", "events"),
      OnResources(kRead, "discovery.k8s.io", "endpointslices"),
      OnResources(
          kRead, "apps",
          "controllerrevisions daemonsets daemonsets/status deployments deployments/scale "
          "deployments/status replicasets replicasets/scale replicasets/status statefulsets "
          "statefulsets/scale statefulsets/status"),
      OnResources(kRead, "autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status"),
      OnResources(kRead, "batch", "cronjobs cronjobs/status jobs jobs/status"),
      OnResources(kRead, "policy", "poddisruptionbudgets poddisruptionbudgets/status"),
      OnResources(kRead, "networking.k8s.io", "ingresses ingresses/status networkpolicies"),
  };
}

PolicyRules EditRules() {
  return {
      OnResources(kRead, "core",
                  "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy"),
      OnResources("impersonate", "core", "serviceaccounts"),
      OnResources(kWrite, "core",
                  "configmaps persistentvolumeclaims pods pods/attach pods/exec pods/portforward "
                  "pods/proxy replicationcontrollers replicationcontrollers/scale secrets "
                  "serviceaccounts services services/proxy"),
      OnResources("create", "core", "pods/eviction serviceaccounts/token"),
      OnResources(kWrite, "core events.k8s.io", "events"),
      OnResources(kWrite, "apps",
                  "daemonsets deployments deployments/rollback deployments/scale replicasets "
                  "replicasets/scale statefulsets statefulsets/scale"),
      OnResources(kWrite, "autoscaling", "horizontalpodautoscalers"),
      OnResources(kWrite, "batch", "cronjobs jobs"),
      OnResources(kWrite, "policy", "poddisruptionbudgets"),
      OnResources(kWrite, "networking.k8s.io", "ingresses networkpolicies"),
      OnResources(kReadWrite, "coordination.k8s.io", "leases"),
  };
}

PolicyRules AdminRules() {
  return {OnResources("create", "authorization.k8s.io", "localsubjectaccessreviews"),
          OnResources(kReadWrite, "rbac.authorization.k8s.io", "rolebindings roles")};
}

Roles RolesOfPeople() {
  return {
      {.name = "cluster-admin", .rules = {OnResources("*", "*", "*"), OnUrls("*", "*")}},
      {.name = "admin", .aggregated = true},
      {.name = "edit", .part_of = {"admin"}, .aggregated = true},
      {.name = "view", .part_of = {"edit"}, .aggregated = true},
      {.name = "system:aggregate-to-admin", .part_of = {"admin"}, .rules = AdminRules()},
      {.name = "system:aggregate-to-edit", .part_of = {"edit"}, .rules = EditRules()},
      {.name = "system:aggregate-to-view", .part_of = {"view"}, .rules = ViewRules()},
      {.name = "system:discovery",
       .rules = {OnUrls("get",
                        "/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz "
                        "/version /version/")}},
      {.name = "system:public-info-viewer",
       .rules = {OnUrls("get", "/healthz /livez /readyz /version /version/")}},
      {.name = "system:basic-user",
       .rules = {OnResources("create", "authorization.k8s.io",
                             "selfsubjectaccessreviews selfsubjectrulesreviews"),
                 OnResources("create", "authentication.k8s.io", "selfsubjectreviews")}},
      {.name = "system:monitoring",
       .rules = {OnUrls("get",
                        "/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz "
                        "/readyz/*"),
                 OnResources("get", "core", "nodes/metrics")}},
      {.name = "system:auth-delegator",
       .rules = {OnResources("create", "authentication.k8s.io", "tokenreviews"),
                 OnResources("create", "authorization.k8s.io", "subjectaccessreviews")}},
  };
}

PolicyRules NodeRules() {
  return {
      OnResources("create", "authentication.k8s.io", "tokenreviews"),
      OnResources("create", "authorization.k8s.io",
                  "localsubjectaccessreviews subjectaccessreviews"),
      OnResources("create get list watch update patch", "core", "nodes"),
      OnResources("update patch", "core", "nodes/status pods/status"),
      OnResources("create get list watch delete", "core", "pods"),
      OnResources("create", "core", "pods/eviction serviceaccounts/token"),
      OnResources(kRead, "core", "configmaps secrets services"),
      OnResources("get", "core",
                  "endpoints persistentvolumeclaims persistentvolumes serviceaccounts"),
      OnResources("get update patch", "core", "persistentvolumeclaims/status"),
      WritesEvents(),
      OnResources("create get list watch", "certificates.k8s.io", "certificatesigningrequests"),
      OnResources("get create update patch delete", "coordination.k8s.io", "leases"),
      OnResources("get", "storage.k8s.io", "volumeattachments"),
      OnResources(kRead, "storage.k8s.io", "csidrivers"),
      OnResources("get create update patch delete", "storage.k8s.io", "csinodes"),
      OnResources(kRead, "node.k8s.io", "runtimeclasses"),
  };
}

// To ask for a certificate, and to have it approved without a person.
Roles RolesOfCertificates() {
  const std::string prefix = "system:certificates.k8s.io:";
  const auto asks = [&](const std::string& what) {
    return BuiltinRole{.name = prefix + "certificatesigningrequests:" + what,
                       .rules = {OnResources("create", "certificates.k8s.io",
                                             "certificatesigningrequests/" + what)}};
  };
  const auto approves = [&](const std::string& signer) {
    return BuiltinRole{.name = prefix + signer + "-approver",
                       .rules = {OnResources("approve", "certificates.k8s.io", "signers",
                                             "kubernetes.io/" + signer)}};
  };
  return {asks("nodeclient"), asks("selfnodeclient"), approves("kube-apiserver-client"),
          approves("kube-apiserver-client-kubelet"), approves("kubelet-serving")};
}

Roles RolesOfComponents() {
  return {
      {.name = "system:node", .rules = NodeRules()},
      {.name = "system:node-bootstrapper",
       .rules = {OnResources("create get list watch", "certificates.k8s.io",
                             "certificatesigningrequests")}},
      {.name = "system:kube-controller-manager",
       .rules = {OnResources("list watch", "*", "*"), WritesEvents(),
                 OnResources("create", "coordination.k8s.io", "leases"),
                 OnResources("get update", "coordination.k8s.io", "leases",
                             "kube-controller-manager"),
                 OnResources("create get update", "core", "secrets serviceaccounts"),
                 OnResources("delete", "core", "secrets"),
                 OnResources("get", "core", "configmaps namespaces"),
                 OnResources("create", "core", "serviceaccounts/token"),
                 OnResources("create", "authentication.k8s.io", "tokenreviews"),
                 OnResources("create", "authorization.k8s.io", "subjectaccessreviews")}},
      {.name = "system:controller:generic-garbage-collector",
       .rules = {OnResources("get list watch patch update delete", "*", "*"), WritesEvents()}},
      {.name = "system:controller:disruption-controller",
       .rules = {OnResources(kRead, "apps", "deployments replicasets statefulsets"),
                 OnResources(kRead, "core", "pods replicationcontrollers"),
                 OnResources(kRead, "policy", "poddisruptionbudgets"),
                 OnResources("update", "policy", "poddisruptionbudgets/status"),
                 OnResources("patch update", "core", "pods/status"),
                 OnResources("get", "*", "*/scale"), WritesEvents()}},
      {.namespace_ = "kube-system",
       .name = "extension-apiserver-authentication-reader",
       .rules = {OnResources(kRead, "core", "configmaps", "extension-apiserver-authentication")}},
      {.namespace_ = "kube-system",
       .name = "system::leader-locking-kube-controller-manager",
       .rules = {OnResources("create get list update watch", "coordination.k8s.io",
                             "leasecandidates leases")}},
  };
}

}  // namespace

std::vector<BuiltinRole> BuiltinRoles() {
  Roles roles = RolesOfPeople();
  for (Roles more : {RolesOfCertificates(), RolesOfComponents()}) {
    std::ranges::move(more, std::back_inserter(roles));
  }
  return roles;
}

std::vector<RbacBinding> BuiltinBindings() {
  const auto of_cluster = [](const std::string& role, std::vector<RbacSubject> subjects) {
    return RbacBinding{.name = role,
                       .role = {.kind = "ClusterRole", .name = role},
                       .subjects = std::move(subjects)};
  };
  const auto in_system = [](std::string name, std::string role, std::vector<RbacSubject> subjects) {
    return RbacBinding{.namespace_ = "kube-system",
                       .name = std::move(name),
                       .role = {.kind = "Role", .name = std::move(role)},
                       .subjects = std::move(subjects)};
  };
  // A machine comes in with a bootstrap token and needs nobody to let it in. Elsewhere the tool
  // that sets a cluster up binds these; here that is us.
  const std::string asks_for = "system:certificates.k8s.io:certificatesigningrequests:";
  const auto joining = [](const std::string& what, const std::string& role,
                          const std::string& group) {
    return RbacBinding{.name = "millwright:nodes-" + what,
                       .role = {.kind = "ClusterRole", .name = role},
                       .subjects = {{.kind = "Group", .name = group}}};
  };
  const RbacSubject everybody{.kind = "Group", .name = "system:authenticated"};
  const RbacSubject controller_manager{.kind = "User", .name = "system:kube-controller-manager"};
  // Its controllers have accounts of their own, but may also run as one user.
  const auto controller = [&](const std::string& name) {
    return of_cluster("system:controller:" + name,
                      {{.kind = "ServiceAccount", .name = name, .namespace_ = "kube-system"},
                       controller_manager});
  };
  return {
      of_cluster("cluster-admin", {{.kind = "Group", .name = "system:masters"}}),
      of_cluster("system:discovery", {everybody}),
      of_cluster("system:basic-user", {everybody}),
      of_cluster("system:public-info-viewer",
                 {everybody, {.kind = "Group", .name = "system:unauthenticated"}}),
      of_cluster("system:monitoring", {{.kind = "Group", .name = "system:monitoring"}}),
      // Nodes have rights by what runs on them: AuthorizeNode.
      of_cluster("system:node", {}),
      joining("ask-for-certificate", "system:node-bootstrapper", "system:bootstrappers"),
      joining("approve-first-certificate", asks_for + "nodeclient", "system:bootstrappers"),
      joining("approve-next-certificate", asks_for + "selfnodeclient", "system:nodes"),
      of_cluster("system:kube-controller-manager", {controller_manager}),
      controller("generic-garbage-collector"),
      controller("disruption-controller"),
      in_system("system::extension-apiserver-authentication-reader",
                "extension-apiserver-authentication-reader", {controller_manager}),
      in_system("system::leader-locking-kube-controller-manager",
                "system::leader-locking-kube-controller-manager",
                {controller_manager,
                 {.kind = "ServiceAccount",
                  .name = "kube-controller-manager",
                  .namespace_ = "kube-system"}}),
  };
}

}  // namespace millwright::apiserver
