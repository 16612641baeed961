#include "dialects/capi/schema.h"

#include "dialects/capi/names.h"

namespace millwright::dialects::capi {

KindVersions InBothVersions(const KindTable& stored, std::span<const FieldGroup> old_fields,
                            std::span<const Column> old_columns) {
  KindTable old = stored;
  old.version = kOldVersion;
  old.fields = old_fields;
  old.columns = old_columns;
  old.deprecated = true;
  return {old, stored};
}

std::vector<boost::json::object> Crds() {
  std::vector<boost::json::object> crds;
  for (const KindVersions& versions : {ClusterTables(), DeploymentTables(), DrainRuleTables(),
                                       HealthCheckTables(), MachineTables(), SetTables()}) {
    boost::json::object crd = CrdOf(versions);
    // As `clusterctl init` labels what it installs; `clusterctl move` sees no other kinds.
    crd["metadata"].as_object()["labels"] = boost::json::object{
        {"cluster.x-k8s.io/provider", "cluster-api"}, {"clusterctl.cluster.x-k8s.io", ""}};
    crds.push_back(std::move(crd));
  }
  return crds;
}

}  // namespace millwright::dialects::capi
