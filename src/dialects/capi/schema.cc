#include "dialects/capi/schema.h"

namespace millwright::dialects::capi {

std::vector<boost::json::object> Crds() {
  std::vector<boost::json::object> crds;
  for (const KindVersions& versions : {ClusterTables(), DeploymentTables(), DrainRuleTables(),
                                       HealthCheckTables(), MachineTables(), SetTables()}) {
    crds.push_back(CrdOf(versions));
  }
  return crds;
}

}  // namespace millwright::dialects::capi
