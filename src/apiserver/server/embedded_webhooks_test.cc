// Webhooks around the embedded server, in virtual time: who is asked, in what order, and what
// becomes of their answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include <boost/json.hpp>

#include "apiserver/server/embedded_fixture.h"
#include "base/base64.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// All webhooks of the world; a path is one of them.
class FakeWebhooks final : public net::Http {
 public:
  // The response of a review, from its request; an integer is an HTTP status.
  using Make = std::function<json::value(const json::value& request)>;

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const json::value review = json::parse(request.body);
    asked.push_back(path);
    targets.push_back(request.target);
    reviews.push_back(review.at("request"));
    if (const auto delay = delays.find(path); delay != delays.end()) {
      const Duration wait = std::min(delay->second, *request.timeout);
      co_await SleepFor(*clock, wait);
      if (wait < delay->second) co_return Fail(ErrorKind::kInDoubt, "no answer in time");
    }
    const auto make = answers.find(path);
    if (make == answers.end()) co_return Fail(ErrorKind::kUnavailable, "could not connect");
    json::value response = make->second(review.at("request"));
    if (response.is_int64()) {
      co_return net::HttpResponse{
          .status = static_cast<int>(response.get_int64()), .headers = {}, .body = "sorry"};
    }
    response.get_object()["uid"] = review.at_pointer("/request/uid");
    json::value answer = review;
    answer.get_object().erase("request");
    answer.get_object()["response"] = std::move(response);
    co_return net::HttpResponse{.status = 200, .headers = {}, .body = json::serialize(answer)};
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    co_return Fail(ErrorKind::kInternal, "not asked for");
  }

  std::map<std::string, Make> answers;
  std::map<std::string, Duration> delays;
  Clock* clock = nullptr;
  std::vector<std::string> dialed;
  std::vector<std::string> asked;
  std::vector<std::string> targets;
  std::vector<json::value> reviews;
};

json::value Allow(const json::value&) { return {{"allowed", true}}; }

json::value Deny(const json::value&) {
  return {{"allowed", false}, {"status", {{"message", "no"}, {"code", 403}}}};
}

FakeWebhooks::Make Patch(std::string patch) {
  return [patch = std::move(patch)](const json::value&) -> json::value {
    return {{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", EncodeBase64(patch)}};
  };
}

// Adds the path of the webhook to data.seen.
FakeWebhooks::Make Sign(std::string name) {
  return [name = std::move(name)](const json::value& request) {
    const std::string seen(kube::GetString(request, "object.data.seen"));
    return Patch(json::serialize(json::array{
        json::object{{"op", "add"}, {"path", "/data/seen"}, {"value", seen + name}}}))(request);
  };
}

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kMap = R"({"metadata":{"name":"a","labels":{"l":"1"}},"data":{"x":"1"}})";

class WebhooksTest : public EmbeddedFixture {
 protected:
  WebhooksTest() : WebhooksTest(std::make_shared<FakeWebhooks>()) {}
  explicit WebhooksTest(std::shared_ptr<FakeWebhooks> fake)
      : EmbeddedFixture([fake](const WebhookAddress& address) {
          fake->dialed.push_back(address.url + " as " + address.server_name);
          return Result<std::shared_ptr<net::Http>>(fake);
        }),
        hooks_(*fake) {
    hooks_.clock = &clock_;
    // What the server makes of its own accord is out of the way.
    world_.Advance(std::chrono::seconds(1));
  }

  // A configuration of one webhook at "/<name>", for config maps.
  void Configure(const std::string& kind, const std::string& name, json::object more = {}) {
    json::object webhook{{"name", name + ".example.org"},
                         {"clientConfig", {{"url", "https://hooks.example.org/" + name}}},
                         {"admissionReviewVersions", {"v1"}},
                         {"sideEffects", "None"},
                         {"rules", json::parse(R"([{"operations":["*"],"apiGroups":[""],
                              "apiVersions":["v1"],"resources":["configmaps"]}])")}};
    for (const auto& [key, value] : more) webhook[key] = value;
    const json::value body{{"metadata", {{"name", name}}}, {"webhooks", json::array{webhook}}};
    const auto made =
        Ask("POST", "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations",
            json::serialize(body));
    ASSERT_EQ(made.status, 201) << made.body;
  }

  FakeWebhooks& hooks_;
};

TEST_F(WebhooksTest, MutateInTheOrderOfTheirNames) {
  for (const char* name : {"b", "a"}) {
    hooks_.answers[std::string("/") + name] = Sign(name);
    Configure("mutating", name);
  }
  const auto made = Ask("POST", kMaps, kMap);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("data.seen"), "ab");
  EXPECT_THAT(hooks_.targets, ElementsAre("/a?timeout=10s", "/b?timeout=10s"));
}

TEST_F(WebhooksTest, SeeWhatTheClientSentAndThenWhatIsStored) {
  hooks_.answers["/m"] = Allow;
  hooks_.answers["/v"] = Allow;
  Configure("mutating", "m");
  Configure("validating", "v");
  Ask("POST", kMaps, R"({"metadata":{"generateName":"a-"}})");
  ASSERT_THAT(hooks_.asked, ElementsAre("/m", "/v"));
  EXPECT_EQ(kube::GetString(hooks_.reviews[0], "object.metadata.uid"), "");
  EXPECT_EQ(kube::GetString(hooks_.reviews[0], "object.metadata.namespace"), "default");
  EXPECT_EQ(kube::GetString(hooks_.reviews[0], "name"), "");
  EXPECT_NE(kube::GetString(hooks_.reviews[1], "object.metadata.uid"), "");
  EXPECT_EQ(kube::GetString(hooks_.reviews[1], "name"),
            kube::GetString(hooks_.reviews[1], "object.metadata.name"));
  EXPECT_EQ(kube::GetString(hooks_.reviews[1], "options.kind"), "CreateOptions");
}

TEST_F(WebhooksTest, AreAskedAgainIfOthersChangedTheObjectAfterThem) {
  hooks_.answers["/a"] = Sign("a");
  hooks_.answers["/b"] = Sign("b");
  hooks_.answers["/c"] = Sign("c");
  Configure("mutating", "a", {{"reinvocationPolicy", "IfNeeded"}});
  Configure("mutating", "b");
  Configure("mutating", "c", {{"reinvocationPolicy", "IfNeeded"}});
  EXPECT_EQ(Ask("POST", kMaps, kMap).At("data.seen"), "abcac");
}

TEST_F(WebhooksTest, DenyInTheirOwnWords) {
  hooks_.answers["/v"] = [](const json::value&) -> json::value {
    return {{"allowed", false},
            {"warnings", {"mind \"this\"", ""}},
            {"status", {{"message", "no"}, {"reason", "Teapot"}, {"code", 418}}}};
  };
  Configure("validating", "v");
  const auto refused = Ask("POST", kMaps, kMap);
  EXPECT_EQ(refused.status, 418);
  EXPECT_EQ(refused.At("message"), R"(admission webhook "v.example.org" denied the request: no)");
  EXPECT_EQ(refused.At("reason"), "Teapot");
  EXPECT_THAT(refused.warnings, ElementsAre(R"(299 - "mind \"this\"")"));
  EXPECT_EQ(Ask("GET", std::string(kMaps) + "/a").status, 404);
}

TEST_F(WebhooksTest, ThatCannotBeAskedCountByTheirPolicy) {
  Configure("validating", "open", {{"failurePolicy", "Ignore"}});
  EXPECT_EQ(Ask("POST", kMaps, kMap).status, 201);
  Configure("validating", "shut");
  const auto refused = Ask("DELETE", std::string(kMaps) + "/a");
  EXPECT_EQ(refused.status, 500);
  EXPECT_EQ(refused.At("message"),
            "Internal error occurred: failed calling webhook \"shut.example.org\": failed to call "
            "webhook: Post \"https://hooks.example.org/shut?timeout=10s\": could not connect");
  hooks_.answers["/shut"] = [](const json::value&) { return json::value(404); };
  EXPECT_THAT(
      std::string(Ask("DELETE", std::string(kMaps) + "/a").At("message")),
      HasSubstr("failed to call webhook: the server could not find the requested resource"));
}

TEST_F(WebhooksTest, HaveAsMuchTimeAsTheyAreGiven) {
  hooks_.answers["/slow"] = Allow;
  hooks_.delays["/slow"] = std::chrono::seconds(4);
  Configure("mutating", "slow", {{"timeoutSeconds", 3}});
  const SteadyTime began = clock_.Elapsed();
  const auto refused = Ask("POST", kMaps, kMap);
  EXPECT_THAT(std::string(refused.At("message")),
              HasSubstr("/slow?timeout=3s\": context deadline exceeded"));
  EXPECT_EQ(clock_.Elapsed() - began, Duration(std::chrono::seconds(3)));
}

TEST_F(WebhooksTest, TogetherHaveNoMoreThanARequest) {
  for (const char* name : {"a", "b"}) {
    hooks_.delays[std::string("/") + name] = std::chrono::seconds(60);
    Configure("mutating", name, {{"timeoutSeconds", 30}, {"failurePolicy", "Ignore"}});
  }
  const SteadyTime began = clock_.Elapsed();
  const auto refused = Ask("POST", kMaps, kMap);
  EXPECT_EQ(refused.status, 504) << refused.body;
  EXPECT_EQ(refused.At("reason"), "Timeout");
  EXPECT_EQ(clock_.Elapsed() - began, Duration(std::chrono::seconds(34)));
}

TEST_F(WebhooksTest, ThatValidateAreAskedAllAtOnce) {
  for (const char* name : {"a", "b", "c"}) {
    hooks_.answers[std::string("/") + name] = Allow;
    hooks_.delays[std::string("/") + name] = std::chrono::seconds(5);
    Configure("validating", name);
  }
  hooks_.answers["/b"] = hooks_.answers["/c"] = Deny;
  const SteadyTime began = clock_.Elapsed();
  EXPECT_EQ(Ask("POST", kMaps, kMap).At("message"),
            R"(admission webhook "b.example.org" denied the request: no)");
  EXPECT_EQ(clock_.Elapsed() - began, Duration(std::chrono::seconds(5)));
}

TEST_F(WebhooksTest, AreChosenByLabels) {
  hooks_.answers["/v"] = Deny;
  Configure(
      "validating", "v",
      {{"objectSelector", {{"matchLabels", {{"l", "1"}}}}},
       {"namespaceSelector", {{"matchLabels", {{"kubernetes.io/metadata.name", "default"}}}}}});
  EXPECT_EQ(Ask("POST", kMaps, kMap).status, 403);
  EXPECT_EQ(Ask("POST", kMaps, R"({"metadata":{"name":"b"}})").status, 201);
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/kube-public/configmaps", kMap).status, 201);
}

TEST_F(WebhooksTest, AreNotAskedAboutConfigurations) {
  Configure("validating", "v",
            {{"rules", json::parse(R"([{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],
                 "resources":["*/*"]}])")}});
  hooks_.asked.clear();
  EXPECT_EQ(Ask("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v")
                .status,
            200);
  EXPECT_THAT(hooks_.asked, IsEmpty());
}

TEST_F(WebhooksTest, MayNotChangeWhatIsBeingDeleted) {
  Ask("POST", kMaps, kMap);
  hooks_.answers["/m"] = Patch(R"([{"op":"add","path":"/data","value":{}}])");
  Configure("mutating", "m");
  const auto refused = Ask("DELETE", std::string(kMaps) + "/a");
  EXPECT_EQ(refused.status, 500);
  EXPECT_THAT(std::string(refused.At("message")), HasSubstr("attempted to modify the object"));
  EXPECT_EQ(kube::GetString(hooks_.reviews[0], "oldObject.data.x"), "1");
  EXPECT_TRUE(hooks_.reviews[0].at("object").is_null());
}

TEST_F(WebhooksTest, ThatReachServicesFailByTheirPolicy) {
  Configure("validating", "v",
            {{"clientConfig", {{"service", {{"name", "hook"}, {"namespace", "default"}}}}}});
  EXPECT_THAT(
      std::string(Ask("POST", kMaps, kMap).At("message")),
      HasSubstr(R"(Post "https://hook.default.svc:443/?timeout=10s": service "hook" not found)"));
  const auto service = [&](const char* spec) {
    Ask("DELETE", "/api/v1/namespaces/default/services/hook");
    const auto made = Ask("POST", "/api/v1/namespaces/default/services",
                          std::string(R"({"metadata":{"name":"hook"},"spec":)") + spec + "}");
    EXPECT_EQ(made.status, 201) << made.body;
  };
  service(R"({"ports":[{"port":443}]})");
  EXPECT_THAT(std::string(Ask("POST", kMaps, kMap).At("message")),
              HasSubstr("this server has no network of services"));
  service(R"({"type":"ExternalName","externalName":"hooks.example.org"})");
  hooks_.answers["/"] = Allow;
  EXPECT_EQ(Ask("POST", kMaps, kMap).status, 201);
  EXPECT_THAT(hooks_.dialed, ElementsAre("https://hooks.example.org:443/ as hook.default.svc"));
}

TEST_F(WebhooksTest, SeeAScaleWhereSomebodyScales) {
  const auto made = Ask("POST", "/apis/apps/v1/namespaces/default/deployments",
                        R"({"metadata":{"name":"d"},"spec":{"replicas":1,
          "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
          "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  hooks_.answers["/m"] = Patch(R"([{"op":"replace","path":"/spec/replicas","value":3}])");
  Configure("mutating", "m",
            {{"rules", json::parse(R"([{"operations":["UPDATE"],"apiGroups":["apps"],
                 "apiVersions":["v1"],"resources":["*/scale"]}])")}});
  const auto scaled = Ask("PATCH", "/apis/apps/v1/namespaces/default/deployments/d/scale",
                          R"({"spec":{"replicas":5}})", "application/merge-patch+json");
  EXPECT_EQ(kube::GetInt(scaled.body, "spec.replicas"), 3) << scaled.body;
  ASSERT_EQ(hooks_.reviews.size(), 1u);
  EXPECT_EQ(kube::GetString(hooks_.reviews[0], "object.kind"), "Scale");
  EXPECT_EQ(kube::GetInt(hooks_.reviews[0], "oldObject.spec.replicas"), 1);
  const auto changed = Ask("GET", "/apis/apps/v1/namespaces/default/deployments/d");
  EXPECT_EQ(kube::GetInt(changed.body, "metadata.generation"), 2);
}

}  // namespace
}  // namespace millwright::apiserver
