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
    crds.push_back(CrdOf(versions));
  }
  return crds;
}

}  // namespace millwright::dialects::capi
