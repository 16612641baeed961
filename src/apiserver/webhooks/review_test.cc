#include "apiserver/webhooks/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/webhooks/address.h"
#include "apiserver/webhooks/post.h"
#include "apiserver/webhooks/refusals.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

TEST(Review, TellsAllOfARequest) {
  const Resource resource{.kind = {"apps", "v1", "Deployment"},
                          .plural = "deployments",
                          .singular = "deployment",
                          .list_kind = "DeploymentList"};
  const Place place{.group = "apps",
                    .version = "v1",
                    .resource = "deployments",
                    .namespace_ = "ns",
                    .name = "a",
                    .subresource = "scale"};
  const User user{.name = "eve", .groups = {"g"}};
  const kube::GroupVersionKind scale{"autoscaling", "v1", "Scale"};
  const json::value options{{"kind", "UpdateOptions"}};
  const json::value old{{"kind", "Scale"}};
  const Admittance about{.operation = Admittance::Operation::kUpdate,
                         .resource = resource,
                         .place = place,
                         .name = "a",
                         .user = user,
                         .dry_run = true,
                         .old = &old,
                         .options = &options,
                         .form = &scale};
  const std::string body = WriteAdmissionReview(
      "v1",
      AdmissionRequestOf(about, {.kind = scale, .resource = {"apps", "v2", "deployments"}}, "u"),
      nullptr, &old);
  EXPECT_EQ(json::parse(body), json::parse(R"({
      "kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{
        "uid":"u","kind":{"group":"autoscaling","version":"v1","kind":"Scale"},
        "resource":{"group":"apps","version":"v2","resource":"deployments"},"subResource":"scale",
        "requestKind":{"group":"autoscaling","version":"v1","kind":"Scale"},
        "requestResource":{"group":"apps","version":"v1","resource":"deployments"},
        "requestSubResource":"scale","name":"a","namespace":"ns","operation":"UPDATE",
        "userInfo":{"username":"eve","groups":["g"]},"object":null,"oldObject":{"kind":"Scale"},
        "dryRun":true,"options":{"kind":"UpdateOptions"}}})"));
}

std::string Answer(std::string_view response) {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":)" +
         std::string(response) + "}";
}

TEST(Review, ReadsAVerdict) {
  // [{"op":"add","path":"/a","value":1}]
  const auto verdict = ReadAdmissionReview(
      "v1", "u", true, Answer(R"({"uid":"u","allowed":true,"warnings":["w"],"patchType":"JSONPatch",
                 "patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL2EiLCJ2YWx1ZSI6MX1d"})"));
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_TRUE(verdict->allowed);
  EXPECT_EQ(verdict->patch, json::parse(R"([{"op":"add","path":"/a","value":1}])"));
  EXPECT_THAT(verdict->warnings, testing::ElementsAre("w"));

  const auto denied = ReadAdmissionReview(
      "v1", "u", false,
      Answer(R"({"uid":"u","allowed":false,"status":{"message":"no","code":418,"reason":"R"}})"));
  ASSERT_TRUE(denied);
  EXPECT_FALSE(denied->allowed);
  EXPECT_EQ(denied->status.message, "no");
  EXPECT_EQ(denied->status.code, 418);
}

TEST(Review, RefusesWhatIsNoAnswerToTheQuestion) {
  struct Case {
    bool mutating;
    std::string body;
    std::string_view message;
  };
  const Case cases[] = {
      {false, "{}", "received invalid webhook response: webhook response was absent"},
      {false, Answer(R"({"uid":"x"})"),
       R"(received invalid webhook response: expected response.uid="u", got "x")"},
      {false, R"({"response":{"uid":"u"}})",
       "received invalid webhook response: expected webhook response of admission.k8s.io/v1, "
       "Kind=AdmissionReview, got /, Kind="},
      {false, Answer(R"({"uid":"u","patch":"W10="})"),
       "received invalid webhook response: validating webhook may not return response.patch"},
      {false, Answer(R"({"uid":"u","patchType":"JSONPatch"})"),
       "received invalid webhook response: validating webhook may not return response.patchType"},
      {true, Answer(R"({"uid":"u","patch":"W10="})"),
       "received invalid webhook response: webhook returned response.patch but not "
       "response.patchType"},
      {true, Answer(R"({"uid":"u","patchType":"JSONPatch"})"),
       "received invalid webhook response: webhook returned response.patchType but not "
       "response.patch"},
      {true, Answer(R"({"uid":"u","allowed":true,"patch":"!","patchType":"JSONPatch"})"),
       "received undecodable patch in webhook response: illegal base64 data"},
      {true, Answer(R"({"uid":"u","allowed":true,"patch":"W10=","patchType":"Merge"})"),
       R"(unsupported patch type "Merge")"},
  };
  for (const Case& one : cases) {
    const auto verdict = ReadAdmissionReview("v1", "u", one.mutating, one.body);
    ASSERT_FALSE(verdict) << one.body;
    EXPECT_EQ(verdict.error().message(), one.message);
  }
}

TEST(Review, TheOlderVersionNeverCaredWhoseAnswerItIs) {
  const auto verdict =
      ReadAdmissionReview("v1beta1", "u", true, R"({"response":{"allowed":true,"patch":"W10="}})");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->patch, std::nullopt);
}

TEST(Refusals, AreWordedAsPeopleKnowThem) {
  const auto status = [](const Failure& failure) {
    return failure.error().detail<kube::StatusDetail>()->status();
  };
  const auto with_message = status(Denied("a.b.c", {.message = "no", .reason = "R", .code = 403}));
  EXPECT_EQ(with_message.message, R"(admission webhook "a.b.c" denied the request: no)");
  EXPECT_EQ(with_message.code, 403);
  const auto with_reason =
      status(Denied("a.b.c", {.status = "Success", .reason = "R", .code = 200}));
  EXPECT_EQ(with_reason.message, R"(admission webhook "a.b.c" denied the request: R)");
  EXPECT_EQ(with_reason.status, "Failure");
  EXPECT_EQ(with_reason.code, 400);
  EXPECT_EQ(status(Denied("a.b.c", {})).message,
            R"(admission webhook "a.b.c" denied the request without explanation)");
}

TEST(Address, IsAUrlOrAService) {
  const auto url = AddressOf(json::parse(R"({"url":"https://h:1/p?q=1","caBundle":"Q0E="})"));
  EXPECT_EQ(url, (WebhookAddress{
                     .url = "https://h:1/p?q=1", .server_name = "", .ca_certificates = "CA"}));
  EXPECT_EQ(OriginOf(url.url), "https://h:1");
  EXPECT_EQ(TargetOf(url.url), "/p?q=1");
  EXPECT_EQ(TargetOf("https://h:1"), "/");
  EXPECT_EQ(UrlWithTimeout(url.url, std::chrono::milliseconds(1500)),
            "https://h:1/p?q=1&timeout=2s");
  EXPECT_EQ(UrlWithTimeout("https://h/p", std::chrono::seconds(10)), "https://h/p?timeout=10s");
}

}  // namespace
}  // namespace millwright::apiserver
