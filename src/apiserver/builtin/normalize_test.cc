// Answers recorded from kube-apiserver 1.36.
#include "apiserver/builtin/normalize.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

const kube::GroupVersionKind kPod{"", "v1", "Pod"};
const kube::GroupVersionKind kSecret{"", "v1", "Secret"};
const kube::GroupVersionKind kDeployment{"apps", "v1", "Deployment"};

std::string Normalized(const kube::GroupVersionKind& kind, std::string_view text) {
  json::value object = json::parse(json::string_view(text));
  const auto done = NormalizeBuiltin(kind, object);
  return done ? kube::JsonText(object) : done.error().message();
}

TEST(NormalizeBuiltin, LeavesOutWhatGoLeavesOut) {
  EXPECT_EQ(Normalized(kSecret, R"({"metadata":{"labels":{},"name":"a","creationTimestamp":null},
                                    "data":{},"immutable":false,"type":"","extra":1})"),
            R"({"immutable":false,"metadata":{"name":"a"}})");
}

TEST(NormalizeBuiltin, WritesTheZeroValuesThatGoWrites) {
  EXPECT_EQ(Normalized(kPod, R"({"spec":{"containers":[{"ports":[{"hostPort":0}]}]}})"),
            R"({"metadata":{},"spec":{"containers":[{"name":"","ports":[{"containerPort":0}],)"
            R"("resources":{}}]},"status":{}})");
  EXPECT_EQ(Normalized(kPod, "{}"), R"({"metadata":{},"spec":{"containers":null},"status":{}})");
}

TEST(NormalizeBuiltin, NullsInMapsAreZeroValues) {
  EXPECT_EQ(Normalized(kSecret, R"({"data":{"b":null},"stringData":{"c":null}})"),
            R"({"data":{"b":""},"metadata":{},"stringData":{"c":""}})");
}

TEST(NormalizeBuiltin, WritesTimesAndQuantitiesInOneWay) {
  EXPECT_EQ(Normalized({"coordination.k8s.io", "v1", "Lease"},
                       R"({"metadata":{"creationTimestamp":"2026-01-01T02:00:00.5+02:00"},
                           "spec":{"renewTime":"2026-01-01T00:00:00.000000Z"}})"),
            R"({"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z"},)"
            R"("spec":{"renewTime":"2026-01-01T00:00:00.000000Z"}})");
  EXPECT_EQ(
      Normalized({"", "v1", "ResourceQuota"},
                 R"({"spec":{"hard":{"cpu":0.5,"memory":"1024Mi","pods":"1000m"}}})"),
      R"({"metadata":{},"spec":{"hard":{"cpu":"500m","memory":"1Gi","pods":"1"}},"status":{}})");
}

TEST(NormalizeBuiltin, KeepsSchemasOfAnyDepth) {
  const std::string schema =
      R"({"additionalProperties":false,"items":{"type":"string"},)"
      R"("properties":{"a":{"default":{"x":1},"maximum":5,"type":"object"}},"type":"object"})";
  json::value crd =
      json::parse(R"({"metadata":{},"spec":{"group":"g","names":{"kind":"K","plural":"ks"},
      "scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":)" +
                  schema + "}}]}}");
  ASSERT_TRUE(NormalizeBuiltin({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, crd));
  EXPECT_EQ(kube::JsonText(crd.at_pointer("/spec/versions/0/schema/openAPIV3Schema")), schema);
}

struct WrongType {
  kube::GroupVersionKind kind;
  std::string_view object;
  std::string_view message;
};

TEST(NormalizeBuiltin, SaysWhatDoesNotFit) {
  const WrongType cases[] = {
      {kDeployment, R"({"spec":{"replicas":"x"}})",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type "
       "int32"},
      {kDeployment, R"({"spec":{"replicas":1.5}})",
       "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of "
       "type "
       "int32"},
      {kDeployment, R"({"spec":{"replicas":99999999999}})",
       "json: cannot unmarshal number 99999999999 into Go struct field "
       "DeploymentSpec.spec.replicas of type int32"},
      {kPod, R"({"spec":{"restartPolicy":5}})",
       "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type "
       "v1.RestartPolicy"},
      {kPod, R"({"spec":{"containers":{"name":"a"}}})",
       "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type "
       "[]v1.Container"},
      {kPod, R"({"spec":[]})",
       "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"},
      {kPod, R"({"spec":{"containers":["a"]}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type "
       "v1.Container"},
      {kPod, R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"zz"}}}]}})",
       "quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {kPod, R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":true}}}]}})",
       "json: cannot unmarshal bool into Go struct field "
       "HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32"},
      {kPod, R"({"metadata":{"creationTimestamp":"xx"}})",
       R"(parsing time "xx" as "2006-01-02T15:04:05Z07:00": cannot parse "xx" as "2006")"},
      {kPod, R"({"metadata":{"labels":{"a":1}}})",
       "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type "
       "string"},
      {kPod, R"({"metadata":{"annotations":[1]}})",
       "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.annotations of type "
       "map[string]string"},
      {kPod, R"({"spec":{"hostNetwork":"true"}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool"},
      {kSecret, R"({"data":{"a":"!!"}})", "illegal base64 data at input byte 0"},
      {kSecret, R"({"data":{"a":5}})",
       "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Normalized(test.kind, test.object),
              test.kind.kind + " in version \"v1\" cannot be handled as a " + test.kind.kind +
                  ": " + std::string(test.message));
  }
}

TEST(NormalizeBuiltin, RefusesDeepNesting) {
  std::string text = R"({"data":)";
  for (int i = 0; i < 400; ++i) text += R"({"a":)";
  text += "1" + std::string(401, '}');
  json::parse_options deep;
  deep.max_depth = 1000;
  json::value object = json::parse(text, {}, deep);
  EXPECT_FALSE(NormalizeBuiltin(kSecret, object));
}

}  // namespace
}  // namespace millwright::apiserver
