#include <gtest/gtest.h>

#include <set>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"
#include "apiserver/discovery/openapi/v2.h"
#include "apiserver/discovery/openapi/v3.h"

namespace millwright::apiserver::openapi {
namespace {

namespace json = boost::json;

const std::string kLathePath = "/apis/example.org/v1/namespaces/{namespace}/lathes/{name}";

// Recorded from a kube-apiserver 1.36, but for the descriptions.
TEST(V3DocumentTest, DescribesAPatchAsKubectlExpects) {
  const std::vector<ResourcePtr> resources = {LatheResource()};
  const json::value document = json::parse(V3Document(resources));
  EXPECT_EQ(document.at("openapi"), "3.0.0");
  EXPECT_EQ(document.at("info").at("version"), "1.36");
  const json::value& patch = document.at("paths").at(kLathePath).at("patch");
  EXPECT_EQ(patch.at("operationId"), "patchExampleOrgV1NamespacedLathe");
  EXPECT_EQ(patch.at("x-kubernetes-action"), "patch");
  EXPECT_EQ(patch.at("x-kubernetes-group-version-kind"),
            json::parse(R"({"group":"example.org","version":"v1","kind":"Lathe"})"));
  EXPECT_EQ(patch.at("parameters").at(2).at("name"), "fieldValidation");
  EXPECT_EQ(patch.at("parameters").at(2).at("in"), "query");
  EXPECT_EQ(patch.at("parameters").at(2).at("schema"),
            json::parse(R"({"type":"string","uniqueItems":true})"));
  EXPECT_TRUE(
      patch.at("requestBody").at("content").as_object().contains("application/apply-patch+yaml"));
  EXPECT_EQ(patch.at("responses").at("200").at("content").at("application/json").at("schema"),
            json::parse(R"({"$ref":"#/components/schemas/org.example.v1.Lathe"})"));
}

TEST(V2DocumentTest, DescribesAPatchAsOldVersionsOfKubectlExpect) {
  const std::vector<ResourcePtr> resources = {LatheResource(), PodResource()};
  const json::value document = json::parse(V2Document(resources));
  EXPECT_EQ(document.at("swagger"), "2.0");
  const json::value& patch = document.at("paths").at(kLathePath).at("patch");
  EXPECT_EQ(patch.at("consumes"),
            json::parse(R"(["application/json-patch+json","application/merge-patch+json",
                            "application/apply-patch+yaml"])"));
  EXPECT_EQ(patch.at("parameters").at(0),
            json::parse(R"({"name":"body","in":"body","required":true,"schema":
                {"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}})"));
  EXPECT_EQ(patch.at("parameters").at(1).at("name"), "dryRun");
  EXPECT_EQ(patch.at("parameters").at(1).at("type"), "string");
  EXPECT_EQ(patch.at("x-kubernetes-group-version-kind").at("kind"), "Lathe");
  EXPECT_EQ(patch.at("responses").at("401"), json::parse(R"({"description":"Unauthorized"})"));
}

TEST(DocumentsTest, OperationsHaveNamesOfTheirOwn) {
  const std::vector<ResourcePtr> resources = {LatheResource(), SawResource(), PodResource(),
                                              DeploymentResource()};
  const json::value document = json::parse(V2Document(resources));
  std::set<std::string> names;
  for (const auto& [path, item] : document.at("paths").as_object()) {
    for (const auto& [method, operation] : item.as_object()) {
      if (method == "parameters") continue;
      EXPECT_TRUE(names.emplace(operation.at("operationId").as_string()).second) << path;
    }
  }
}

}  // namespace
}  // namespace millwright::apiserver::openapi
