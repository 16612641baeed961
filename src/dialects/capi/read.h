// Objects as they come from a server, read into records. Fails only for what is not an object of
// the kind at all: a spec that makes no sense is a record that says so.
#pragma once

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::capi {

// Texts that many objects have in common are kept once. Each informer has its own reader, or all
// share one.
class Reader {
 public:
  Result<MachineRecord> Machine(kube::JsonObject object);
  Result<SetRecord> Set(kube::JsonObject object);
  Result<DeploymentRecord> Deployment(kube::JsonObject object);
  Result<HealthCheckRecord> HealthCheck(kube::JsonObject object);
  Result<DrainRuleRecord> DrainRule(kube::JsonObject object);
  Result<ClusterRecord> Cluster(kube::JsonObject object);
  Result<ExternalRecord> External(kube::JsonObject object);

  // JSON in one canonical form, kept once.
  Result<kube::SharedText> Canonical(std::string_view json);

  kube::TextPool& texts() { return texts_; }

 private:
  kube::TextPool texts_;
};

}  // namespace millwright::dialects::capi
