#include "apiserver/builtin/schema.h"

#include <gtest/gtest.h>

#include <string_view>

#include <boost/json.hpp>

#include "kube/api/schema_prune.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using kube::Schema;

// "spec.containers[].ports" from the schema of a kind.
const Schema* At(const Schema* schema, std::string_view path) {
  while (!path.empty() && schema != nullptr) {
    const auto end = std::min(path.find('.'), path.size());
    std::string_view name = path.substr(0, end);
    const bool item = name.ends_with("[]");
    if (item) name.remove_suffix(2);
    schema = schema->Field(name);
    if (schema != nullptr && item) schema = schema->items.get();
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return schema;
}

TEST(BuiltinSchema, EveryKindHasOne) {
  EXPECT_GE(BuiltinKinds().size(), 45U);
  for (const auto& kind : BuiltinKinds()) {
    SCOPED_TRACE(kind.ToString());
    const auto schema = BuiltinSchema(kind);
    ASSERT_TRUE(schema);
    EXPECT_TRUE(schema->properties.contains("apiVersion"));
    EXPECT_TRUE(schema->properties.contains("kind"));
  }
}

TEST(BuiltinSchema, KindsOfOthersHaveNone) {
  EXPECT_FALSE(BuiltinSchema({"cluster.x-k8s.io", "v1beta1", "Machine"}));
  EXPECT_FALSE(BuiltinSchema({"", "v2", "Pod"}));
}

TEST(BuiltinSchema, OptionsBelongToEveryGroup) {
  EXPECT_TRUE(BuiltinSchema({"", "v1", "DeleteOptions"}));
  EXPECT_TRUE(BuiltinSchema({"apps", "v1", "DeleteOptions"}));
  EXPECT_TRUE(BuiltinSchema({"", "v1", "Status"}));
}

TEST(BuiltinSchema, KnowsTypesListsAndKeys) {
  const auto pod = BuiltinSchema({"", "v1", "Pod"});
  const Schema* ports = At(pod.get(), "spec.containers[].ports");
  ASSERT_NE(ports, nullptr);
  EXPECT_EQ(ports->list_type, kube::ListType::kMap);
  EXPECT_EQ(ports->list_map_keys, (std::vector<std::string>{"containerPort", "protocol"}));
  EXPECT_EQ(ports->items->properties.at("protocol")->default_value, json::value("TCP"));
  EXPECT_EQ(At(pod.get(), "spec.terminationGracePeriodSeconds")->checks.format, "int64");
  EXPECT_TRUE(At(pod.get(), "spec.containers[].resources.limits.cpu")->int_or_string);
  EXPECT_EQ(At(pod.get(), "spec.tolerations")->list_type, kube::ListType::kAtomic);
  EXPECT_EQ(At(pod.get(), "spec.nodeSelector")->map_type, kube::MapType::kAtomic);
}

TEST(BuiltinSchema, InlinedStructsAreFlat) {
  const auto pod = BuiltinSchema({"", "v1", "Pod"});
  EXPECT_NE(At(pod.get(), "spec.volumes[].emptyDir.sizeLimit"), nullptr);
  EXPECT_NE(At(pod.get(), "spec.containers[].livenessProbe.httpGet.port"), nullptr);
  EXPECT_EQ(At(pod.get(), "spec.volumes[].volumeSource"), nullptr);
}

TEST(BuiltinSchema, SharesPartsAndNamesThem) {
  const auto pod = BuiltinSchema({"", "v1", "Pod"});
  const auto deployment = BuiltinSchema({"apps", "v1", "Deployment"});
  const Schema* spec = At(pod.get(), "spec");
  EXPECT_EQ(spec, At(deployment.get(), "spec.template.spec"));
  EXPECT_EQ(BuiltinDefinitionName(*spec), "io.k8s.api.core.v1.PodSpec");
  EXPECT_EQ(BuiltinDefinitionName(*pod), "io.k8s.api.core.v1.Pod");
  EXPECT_EQ(BuiltinDefinitionName(*At(pod.get(), "metadata")),
            "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  EXPECT_EQ(BuiltinDefinitionName(*At(pod.get(), "spec.nodeName")), "");
}

TEST(BuiltinSchema, ASchemaMayContainItself) {
  const auto crd = BuiltinSchema({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"});
  const Schema* props = At(crd.get(), "spec.versions[].schema.openAPIV3Schema");
  ASSERT_NE(props, nullptr);
  EXPECT_EQ(At(props, "properties.a.properties.b"), props);
}

TEST(BuiltinSchema, PrunesWhatIsUnknown) {
  json::value pod = json::parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},
      "spec":{"containers":[{"name":"c","imagee":"x"}],"frob":1}})");
  const auto pruned = kube::Prune(*BuiltinSchema({"", "v1", "Pod"}), pod);
  ASSERT_TRUE(pruned);
  EXPECT_EQ(*pruned, (std::vector<std::string>{"spec.containers[0].imagee", "spec.frob"}));
}

TEST(BuiltinSchema, EnumsHaveTheirSpaces) {
  const auto request = BuiltinSchema({"certificates.k8s.io", "v1", "CertificateSigningRequest"});
  const auto& choices = At(request.get(), "spec.usages[]")->checks.enum_values;
  EXPECT_TRUE(std::ranges::find(choices, json::value("client auth")) != choices.end());
}

}  // namespace
}  // namespace millwright::apiserver
