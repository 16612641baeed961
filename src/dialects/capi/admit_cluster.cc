// What of a Cluster can be judged without looking at anything else.
#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "dialects/capi/admit_checks.h"
#include "dialects/capi/json_path.h"
#include "kube/api/names.h"
#include "kube/api/schema_format_net.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using kube::ForbiddenError;
using kube::InvalidError;

namespace {

constexpr std::string_view kInfrastructure = "spec.infrastructureRef";
constexpr std::string_view kControlPlane = "spec.controlPlaneRef";
constexpr std::string_view kTopology = "spec.topology";

bool Has(const json::object& cluster, std::string_view path) {
  const json::value* value = FindPath(cluster, path);
  return value != nullptr && value->is_object() && !value->get_object().empty();
}

void CheckBlocks(const json::object& cluster, std::string_view path, FieldErrorList& errors) {
  const json::value* blocks = FindPath(cluster, path);
  if (blocks == nullptr || !blocks->is_array()) return;
  for (size_t index = 0; index < blocks->get_array().size(); ++index) {
    const json::value& block = blocks->get_array()[index];
    if (block.is_string() && kube::IsCidr(block.get_string())) continue;
    errors.push_back(
        InvalidError(fmt::format("{}[{}]", path, index), block, "must be a block of addresses"));
  }
}

}  // namespace

void CheckCluster(const json::object& cluster, const json::object* old, FieldErrorList& errors) {
  const std::string_view name = TextAtPath(cluster, "metadata.name");
  for (const std::string& complaint : kube::CheckLabelValue(name)) {
    errors.push_back(InvalidError("metadata.name", json::value(name), complaint));
  }
  for (const std::string_view path : {kInfrastructure, kControlPlane, kTopology}) {
    if (old != nullptr && Has(*old, path) && !Has(cluster, path)) {
      errors.push_back(ForbiddenError(std::string(path), "cannot be removed"));
    }
  }
  if (!Has(cluster, kInfrastructure) && !Has(cluster, kControlPlane) && !Has(cluster, kTopology)) {
    errors.push_back(ForbiddenError(
        "spec",
        "one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set"));
  }
  // One that has it already stays as it is, so that it can be labelled, paused and deleted.
  if (Has(cluster, kTopology) && (old == nullptr || !Has(*old, kTopology))) {
    errors.push_back(ForbiddenError(std::string(kTopology),
                                    "managed topologies need Cluster API's own core manager"));
  }
  CheckBlocks(cluster, "spec.clusterNetwork.pods.cidrBlocks", errors);
  CheckBlocks(cluster, "spec.clusterNetwork.services.cidrBlocks", errors);
}

}  // namespace millwright::dialects::capi
