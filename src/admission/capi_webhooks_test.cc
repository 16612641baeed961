#include "admission/capi_webhooks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include "admission/json_diff.h"
#include "base/base64.h"
#include "dialects/capi/schema.h"
#include "kube/api/json_patch.h"
#include "kube/api/json_text.h"

namespace millwright::admission {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

json::value Json(std::string_view text) {
  auto parsed = kube::ParseJson(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *std::move(parsed) : json::value();
}

Routes TestRoutes() {
  return CapiRoutes({.taints = false}, [](std::string_view, std::string_view) {
    return std::optional<std::string>("v1beta2");
  });
}

json::value Call(std::string_view path, std::string_view body) {
  const Routes routes = TestRoutes();
  const auto route = routes.find(path);
  EXPECT_NE(route, routes.end()) << path;
  const auto answer = route->second(body);
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().message());
  return answer ? Json(*answer) : json::value();
}

std::string Review(std::string_view kind, std::string_view object, std::string_view old = "null",
                   std::string_view operation = "CREATE") {
  return json::serialize(
      json::object{{"apiVersion", "admission.k8s.io/v1"},
                   {"kind", "AdmissionReview"},
                   {"request", json::object{{"uid", "u1"},
                                            {"kind", json::object{{"group", "cluster.x-k8s.io"},
                                                                  {"version", "v1beta2"},
                                                                  {"kind", kind}}},
                                            {"operation", operation},
                                            {"object", Json(object)},
                                            {"oldObject", Json(old)}}}});
}

// Base 64 has no decoder here: each patch is known, so it is encoded and compared.
TEST(CapiWebhooks, DefaultsComeAsAPatch) {
  constexpr std::string_view kObject = R"({"metadata": {"name": "m", "labels": {"a/b~c": "d"}},
    "spec": {"clusterName": "c", "version": "1.2.3"}})";
  const json::value review =
      Call("/mutate-cluster-x-k8s-io-v1beta2-machine", Review("Machine", kObject));
  EXPECT_EQ(kube::GetString(review, "response.uid"), "u1");
  EXPECT_TRUE(kube::GetBool(review, "response.allowed"));
  EXPECT_EQ(kube::GetString(review, "response.patchType"), "JSONPatch");
  const json::object before = Json(kObject).get_object();
  const json::object after = *dialects::capi::Default("Machine", before, nullptr);
  const json::array patch = DiffObjects(before, after);
  EXPECT_EQ(kube::GetString(review, "response.patch"), EncodeBase64(json::serialize(patch)));
  EXPECT_EQ(*kube::ApplyJsonPatch(json::value(before), patch), json::value(after));
}

TEST(CapiWebhooks, NothingToChangeIsNoPatch) {
  const json::value review =
      Call("/mutate-cluster-x-k8s-io-v1beta2-machine",
           Review("Machine", R"({"metadata": {"labels": {"cluster.x-k8s.io/cluster-name": "c"}},
             "spec": {"clusterName": "c", "deletion": {"nodeDeletionTimeoutSeconds": 10}}})"));
  EXPECT_FALSE(review.at("response").get_object().contains("patch"));
}

TEST(CapiWebhooks, AnnotationsThatMakeNoSenseAreRefused) {
  const json::value review =
      Call("/mutate-cluster-x-k8s-io-v1beta2-machineset",
           Review("MachineSet", R"({"metadata": {"name": "s", "annotations": {
             "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "x",
             "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "3"}},
             "spec": {"clusterName": "c"}})"));
  EXPECT_FALSE(kube::GetBool(review, "response.allowed", true));
  EXPECT_THAT(kube::GetString(review, "response.status.message"), HasSubstr("is no number"));
}

TEST(CapiWebhooks, RefusalsNameTheFields) {
  const json::value review =
      Call("/validate-cluster-x-k8s-io-v1beta2-machine",
           Review("Machine", R"({"metadata": {"name": "m"}, "spec": {"version": "1.2"}})"));
  EXPECT_FALSE(kube::GetBool(review, "response.allowed", true));
  EXPECT_EQ(kube::GetInt(review, "response.status.code"), 422);
  EXPECT_EQ(kube::GetString(review, "response.status.reason"), "Invalid");
  EXPECT_THAT(kube::GetString(review, "response.status.message"),
              StartsWith(R"(Machine.cluster.x-k8s.io "m" is invalid: [spec.bootstrap: )"));
  const json::array* causes = kube::GetArray(review, "response.status.details.causes");
  ASSERT_NE(causes, nullptr);
  ASSERT_EQ(causes->size(), 2u);
  EXPECT_EQ(kube::GetString(causes->at(1), "field"), "spec.version");
}

TEST(CapiWebhooks, UpdatesSeeTheOldObject) {
  const json::value review = Call(
      "/validate-cluster-x-k8s-io-v1beta2-machine",
      Review("Machine", R"({"spec": {"clusterName": "a", "bootstrap": {"dataSecretName": ""}}})",
             R"({"spec": {"clusterName": "b"}})", "UPDATE"));
  EXPECT_THAT(kube::GetString(review, "response.status.message"), HasSubstr("immutable"));
}

TEST(CapiWebhooks, DeletionsPassAndStrangersDoNot) {
  EXPECT_TRUE(kube::GetBool(Call("/validate-cluster-x-k8s-io-v1beta2-machine",
                                 Review("Machine", "null", R"({"spec": {}})", "DELETE")),
                            "response.allowed"));
  EXPECT_FALSE(
      kube::GetBool(Call("/validate-cluster-x-k8s-io-v1beta2-machine", Review("MachineSet", "{}")),
                    "response.allowed", true));
}

TEST(CapiWebhooks, BodiesThatAreNoReviewsAreRefused) {
  for (const auto& [path, route] : TestRoutes()) {
    for (const std::string_view body : {"", "{", "[]", "{}", R"({"kind": "AdmissionReview"})"}) {
      EXPECT_FALSE(route(body)) << path << " " << body;
    }
  }
}

std::string ConversionOf(std::string_view version, std::string_view objects) {
  return json::serialize(json::object{
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "ConversionReview"},
      {"request",
       json::object{{"uid", "u2"}, {"desiredAPIVersion", version}, {"objects", Json(objects)}}}});
}

TEST(CapiWebhooks, ObjectsAreConverted) {
  const json::value review = Call("/convert", ConversionOf("cluster.x-k8s.io/v1beta1", R"([
    {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet", "metadata": {"name": "s"},
     "spec": {"deletion": {"order": "Oldest"}}},
    {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet", "metadata": {"name": "t"}}])"));
  EXPECT_EQ(kube::GetString(review, "response.uid"), "u2");
  EXPECT_EQ(kube::GetString(review, "response.result.status"), "Success");
  EXPECT_EQ(*kube::GetArray(review, "response.convertedObjects"), Json(R"([
    {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet", "metadata": {"name": "s"},
     "spec": {"deletePolicy": "Oldest"}},
    {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet", "metadata": {"name": "t"}}])"));
}

TEST(CapiWebhooks, AFailedConversionSaysWhichObject) {
  const json::value review = Call("/convert", ConversionOf("cluster.x-k8s.io/v1beta2", R"([
    {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine",
     "metadata": {"name": "m", "namespace": "ns"}, "spec": {"nodeDrainTimeout": "soon"}}])"));
  EXPECT_EQ(kube::GetString(review, "response.result.status"), "Failure");
  EXPECT_THAT(kube::GetString(review, "response.result.message"),
              StartsWith("converting Machine ns/m: spec.nodeDrainTimeout: "));
}

TEST(CapiWebhooks, ConfigurationsNameTheirPaths) {
  const auto configurations = CapiWebhookConfigurations({.service_namespace = "capi-system",
                                                         .service = "capi-webhook-service",
                                                         .url = {},
                                                         .ca = "pem"});
  ASSERT_EQ(configurations.size(), 2u);
  const json::value mutating(configurations[0]);
  const json::value validating(configurations[1]);
  EXPECT_EQ(kube::GetArray(mutating, "webhooks")->size(), 4u);
  EXPECT_EQ(kube::GetArray(validating, "webhooks")->size(), 6u);
  const Routes routes = TestRoutes();
  for (const json::object& configuration : configurations) {
    const json::value root(configuration);
    for (const json::value& webhook : *kube::GetArray(root, "webhooks")) {
      EXPECT_TRUE(routes.contains(kube::GetString(webhook, "clientConfig.service.path")));
      EXPECT_EQ(kube::GetString(webhook, "failurePolicy"), "Fail");
    }
  }
  EXPECT_EQ(kube::GetString(kube::GetArray(validating, "webhooks")->at(5), "name"),
            "validation.machinedrainrule.cluster.x-k8s.io");
}

// Its configurations stay in the cluster when we take over, and what they ask must be answered.
TEST(CapiWebhooks, UpstreamsPathsOfEveryKindAreServed) {
  const Routes routes = TestRoutes();
  for (const char* kind : {"cluster", "machine", "machineset", "machinedeployment",
                           "machinehealthcheck", "machinedrainrule"}) {
    EXPECT_TRUE(routes.contains(fmt::format("/mutate-cluster-x-k8s-io-v1beta2-{}", kind)));
    EXPECT_TRUE(routes.contains(fmt::format("/validate-cluster-x-k8s-io-v1beta2-{}", kind)));
  }
}

TEST(CapiWebhooks, DefinitionsSayWhoConverts) {
  const WebhookPlace place{
      .service_namespace = "", .service = "", .url = "https://127.0.0.1:9443", .ca = "x"};
  const json::value crd(WithConversion(dialects::capi::Crds().front(), place));
  EXPECT_EQ(kube::GetString(crd, "spec.conversion.strategy"), "Webhook");
  EXPECT_EQ(kube::GetString(crd, "spec.conversion.webhook.clientConfig.url"),
            "https://127.0.0.1:9443/convert");
  EXPECT_EQ(kube::GetString(crd, "spec.conversion.webhook.clientConfig.caBundle"), "eA==");
}

int StatusOf(std::string method, std::string target, std::string body) {
  WebhookHandler handler(TestRoutes());
  boost::asio::io_context context;
  int status = 0;
  net::ServerRequest request;
  request.http.method = std::move(method);
  request.http.target = std::move(target);
  request.http.body = std::move(body);
  boost::asio::co_spawn(context, handler.Handle(std::move(request)),
                        [&](const std::exception_ptr& thrown, net::ServerResponse response) {
                          EXPECT_FALSE(thrown);
                          status = response.http.status;
                        });
  context.run();
  return status;
}

TEST(WebhookHandler, AnswersInTheWordsOfHttp) {
  EXPECT_EQ(
      StatusOf("POST", "/convert?timeout=30s", ConversionOf("cluster.x-k8s.io/v1beta1", "[]")),
      200);
  EXPECT_EQ(StatusOf("POST", "/nothing", ""), 404);
  EXPECT_EQ(StatusOf("GET", "/convert", ""), 405);
  EXPECT_EQ(StatusOf("POST", "/convert", "{"), 400);
}

TEST(WebhookServer, TakesCertificatesFromItsFolder) {
  const net::ServerOptions options = WebhookServerOptions(9443, {.folder = "/certs"}, Logger());
  ASSERT_TRUE(options.tls);
  EXPECT_EQ(std::get<net::TlsFiles>(*options.tls).certificate, "/certs/tls.crt");
  EXPECT_EQ(std::get<net::TlsFiles>(*options.tls).key, "/certs/tls.key");
  EXPECT_GT(options.limits.body_bytes, net::ServerLimits().body_bytes);
}

}  // namespace
}  // namespace millwright::admission
