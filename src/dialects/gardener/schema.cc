#include "dialects/gardener/schema.h"

namespace millwright::dialects::gardener {

std::vector<boost::json::object> Crds() {
  std::vector<boost::json::object> crds;
  for (const KindTable& kind : {ClassTable(), DeploymentTable(), MachineTable(), SetTable()}) {
    crds.push_back(CrdOf(kind));
  }
  return crds;
}

}  // namespace millwright::dialects::gardener
