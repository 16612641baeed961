#include "controllers/supply/kinds.h"

#include <boost/json.hpp>

#include <gtest/gtest.h>

#include "kube/api/json_text.h"

namespace millwright::controllers::supply {
namespace {

namespace json = boost::json;

// Every object of a structural schema has a type, or an API server refuses the definition.
void ExpectTypes(const json::value& schema, const std::string& path) {
  const json::object& object = schema.as_object();
  EXPECT_TRUE(object.contains("type") || object.contains("x-kubernetes-int-or-string")) << path;
  if (const json::object* fields = kube::GetObject(schema, "properties")) {
    for (const auto& [name, field] : *fields) ExpectTypes(field, path + "." + std::string(name));
  }
  if (const json::value* items = object.if_contains("items")) ExpectTypes(*items, path + "[]");
}

TEST(SupplyKinds, DefinitionsAreStructuralAndKeepTheContract) {
  EXPECT_EQ(Crds().size(), 6U);
  for (const json::object& crd : Crds()) {
    const json::value tree(crd);
    const std::string name(kube::GetString(tree, "metadata.name"));
    const json::object& labels = *kube::GetObject(tree, "metadata.labels");
    EXPECT_EQ(std::string_view(labels.at("cluster.x-k8s.io/v1beta2").as_string()), kVersion)
        << name;
    EXPECT_TRUE(labels.contains("clusterctl.cluster.x-k8s.io"))
        << "clusterctl does not move " << name;
    const json::value& version = kube::GetArray(tree, "spec.versions")->at(0);
    ExpectTypes(*kube::Find(version, "schema.openAPIV3Schema"), name);
  }
}

}  // namespace
}  // namespace millwright::controllers::supply
