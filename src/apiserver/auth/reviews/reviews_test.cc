// The reviews and token requests, asked as the handler asks them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/auth/reviews/endpoints.h"
#include "apiserver/auth/reviews/review_kinds.h"
#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kRole =
    R"({"rules":[{"verbs":["list"],"apiGroups":[""],"resources":["pods"]},)"
    R"({"verbs":["get"],"nonResourceURLs":["/x"]}]})";

class ReviewsTest : public testing::Test {
 protected:
  ReviewsTest() {
    AddReviewKinds(registry_);
    for (const char* plural : {"secrets", "serviceaccounts", "pods", "nodes"}) {
      registry_.Add(
          std::make_shared<Resource>(Resource{.kind = {"", "v1", plural},
                                              .plural = plural,
                                              .singular = plural,
                                              .list_kind = plural,
                                              .namespaced = std::string_view(plural) != "nodes",
                                              .storage_version = "v1"}));
    }
    AddReviewEndpoints(authorizer_, authenticator_, endpoints_);
    store_.Create("/rbac.authorization.k8s.io/clusterroles/reader", kRole).value();
    Bind("", "readers", "reader", "ann");
  }

  void Bind(const std::string& space, const std::string& name, const char* role, const char* user) {
    const std::string where =
        space.empty() ? "clusterrolebindings/" : "rolebindings/" + space + "/";
    const json::object binding{{"metadata", {{"name", name}, {"namespace", space}}},
                               {"roleRef", {{"kind", "ClusterRole"}, {"name", role}}},
                               {"subjects", {{{"kind", "User"}, {"name", user}}}}};
    store_.Create("/rbac.authorization.k8s.io/" + where + name, json::serialize(binding)).value();
  }

  struct Reply {
    int code;
    json::value body;

    std::string At(std::string_view path) const { return std::string(kube::GetString(body, path)); }
    bool Is(std::string_view path) const { return kube::GetBool(body, path); }
  };

  Reply Ask(const Place& place, json::object body, const User& user) {
    const Call call{.resource = registry_.Find(place.group, place.version, place.resource),
                    .place = place,
                    .target = {},
                    .method = "POST",
                    .content_type = "application/json",
                    .user_agent = "kubectl/v1",
                    .body = json::serialize(body),
                    .output = {},
                    .user = user};
    auto answer = *RunTask(store_.process(), Dispatch(services_, endpoints_, call));
    if (answer) return {answer->code, json::parse(answer->text)};
    const kube::Status status = StatusOf(answer.error());
    return {status.code, kube::EncodeStatus(status)};
  }

  Reply Review(std::string plural, const char* kind, json::object spec, const User& user,
               std::string space = "") {
    const bool about_access =
        plural.find("access") != plural.npos || plural.find("rules") != plural.npos;
    const std::string group = about_access ? "authorization.k8s.io" : "authentication.k8s.io";
    return Ask({.group = group,
                .version = "v1",
                .resource = std::move(plural),
                .namespace_ = std::move(space)},
               {{"apiVersion", group + "/v1"}, {"kind", kind}, {"spec", std::move(spec)}}, user);
  }

  Reply RequestToken(json::object spec, std::string name = "robot") {
    return RequestTokenAs(ann_, std::move(spec), std::move(name));
  }

  Reply RequestTokenAs(const User& user, json::object spec, std::string name = "robot") {
    return Ask({.group = "",
                .version = "v1",
                .resource = "serviceaccounts",
                .namespace_ = "n",
                .name = std::move(name),
                .subresource = "token"},
               {{"apiVersion", "authentication.k8s.io/v1"},
                {"kind", "TokenRequest"},
                {"spec", std::move(spec)}},
               user);
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Registry registry_;
  SeededRandom random_{1};
  Admission admission_;
  Services services_{.store = *store_,
                     .registry = registry_,
                     .clock = store_.clock(),
                     .random = random_,
                     .admission = admission_,
                     .decode_protobuf = nullptr};
  Pki pki_ = MakePki({}, world_.Now(), random_);
  Authorizer authorizer_{*store_};
  Authenticator authenticator_{
      {.store = *store_, .registry = registry_, .clock = store_.clock(), .pki = pki_}};
  SpecialEndpoints endpoints_;
  const User ann_{.name = "ann", .uid = "7", .groups = {"g"}, .extra = {{"k", {"v"}}}};
};

const json::object kListPods = {{"verb", "list"}, {"resource", "pods"}, {"namespace", "n"}};

TEST_F(ReviewsTest, TellsUsersWhatTheyMayDo) {
  const Reply yes = Review("selfsubjectaccessreviews", "SelfSubjectAccessReview",
                           {{"resourceAttributes", kListPods}}, ann_);
  EXPECT_EQ(yes.code, 201);
  EXPECT_TRUE(yes.Is("status.allowed"));
  EXPECT_EQ(
      yes.At("status.reason"),
      R"(RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "ann")");
  EXPECT_EQ(yes.At("spec.resourceAttributes.verb"), "list");
  const Reply no = Review("selfsubjectaccessreviews", "SelfSubjectAccessReview",
                          {{"resourceAttributes", kListPods}}, {.name = "bob"});
  EXPECT_FALSE(no.Is("status.allowed"));
  EXPECT_NE(kube::Find(no.body, "status.allowed"), nullptr);
  const Reply path = Review("selfsubjectaccessreviews", "SelfSubjectAccessReview",
                            {{"nonResourceAttributes", {{"path", "/x"}, {"verb", "get"}}}}, ann_);
  EXPECT_TRUE(path.Is("status.allowed"));
}

TEST_F(ReviewsTest, TellsWhatOthersMayDo) {
  const Reply yes = Review("subjectaccessreviews", "SubjectAccessReview",
                           {{"resourceAttributes", kListPods}, {"user", "ann"}}, {.name = "x"});
  EXPECT_TRUE(yes.Is("status.allowed"));
  const Reply master =
      Review("subjectaccessreviews", "SubjectAccessReview",
             {{"resourceAttributes", kListPods}, {"groups", {"system:masters"}}}, {.name = "x"});
  EXPECT_TRUE(master.Is("status.allowed"));
}

TEST_F(ReviewsTest, RefusesUnclearQuestions) {
  const struct {
    json::object spec;
    const char* problem;
  } cases[] = {
      {{{"user", "ann"}},
       ".authorization.k8s.io \"\" is invalid: spec.resourceAttributes: Invalid value: null: "
       "exactly one of nonResourceAttributes or "
       "resourceAttributes must be specified"},
      {{{"resourceAttributes", kListPods}},
       "spec.user: Invalid value: \"\": at least one of user or group must be specified"},
      {{{"user", "ann"},
        {"resourceAttributes", kListPods},
        {"nonResourceAttributes", {{"path", "/x"}, {"verb", "get"}}}},
       "Invalid value: {\"Path\":\"/x\",\"Verb\":\"get\"}: cannot be specified in combination with "
       "resourceAttributes"},
  };
  for (const auto& [spec, problem] : cases) {
    const Reply reply = Review("subjectaccessreviews", "SubjectAccessReview", spec, ann_);
    EXPECT_EQ(reply.code, 422);
    EXPECT_THAT(reply.At("message"), HasSubstr(problem));
  }
}

TEST_F(ReviewsTest, AsksLocallyInOneNamespace) {
  const Reply yes =
      Review("localsubjectaccessreviews", "LocalSubjectAccessReview",
             {{"resourceAttributes", kListPods}, {"user", "ann"}}, {.name = "x"}, "n");
  EXPECT_EQ(yes.code, 201);
  EXPECT_TRUE(yes.Is("status.allowed"));
  EXPECT_EQ(yes.At("metadata.namespace"), "n");
  const Reply elsewhere =
      Review("localsubjectaccessreviews", "LocalSubjectAccessReview",
             {{"resourceAttributes", kListPods}, {"user", "ann"}}, {.name = "x"}, "m");
  EXPECT_EQ(elsewhere.code, 422);
  EXPECT_THAT(elsewhere.At("message"), HasSubstr("must match metadata.namespace"));
}

TEST_F(ReviewsTest, ListsTheRulesOfAUser) {
  Bind("n", "broken", "gone", "ann");
  const Reply reply =
      Review("selfsubjectrulesreviews", "SelfSubjectRulesReview", {{"namespace", "n"}}, ann_);
  EXPECT_EQ(reply.code, 201);
  EXPECT_EQ(json::serialize(*kube::Find(reply.body, "status")),
            R"({"resourceRules":[{"verbs":["list"],"apiGroups":[""],"resources":["pods"]}],)"
            R"("nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/x"]}],"incomplete":false,)"
            R"("evaluationError":"clusterrole.rbac.authorization.k8s.io \"gone\" not found"})");
  EXPECT_EQ(Review("selfsubjectrulesreviews", "SelfSubjectRulesReview", {}, ann_).At("message"),
            "no namespace on request");
}

TEST_F(ReviewsTest, TellsUsersWhoTheyAre) {
  const Reply reply = Review("selfsubjectreviews", "SelfSubjectReview", {}, ann_);
  EXPECT_EQ(reply.code, 201);
  EXPECT_EQ(json::serialize(*kube::Find(reply.body, "status.userInfo")),
            R"({"username":"ann","uid":"7","groups":["g"],"extra":{"k":["v"]}})");
}

TEST_F(ReviewsTest, GivesTokensThatHold) {
  store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  const Reply token = RequestToken({});
  ASSERT_EQ(token.code, 201);
  EXPECT_EQ(token.At("metadata.name"), "robot");
  EXPECT_EQ(token.At("metadata.uid"), "u1");
  EXPECT_EQ(kube::GetInt(token.body, "spec.expirationSeconds"), 3600);
  EXPECT_EQ(token.At("status.expirationTimestamp"), "2026-01-01T01:00:00Z");
  EXPECT_EQ(json::serialize(token.body.at("metadata").at("managedFields")),
            R"([{"apiVersion":"authentication.k8s.io/v1","fieldsType":"FieldsV1",)"
            R"("fieldsV1":{"f:spec":{"f:expirationSeconds":{}}},"manager":"kubectl",)"
            R"("operation":"Update","subresource":"token","time":"2026-01-01T00:00:00Z"}])");
  const Reply review =
      Review("tokenreviews", "TokenReview", {{"token", token.At("status.token")}}, ann_);
  EXPECT_EQ(review.code, 201);
  EXPECT_TRUE(review.Is("status.authenticated"));
  EXPECT_EQ(review.At("status.user.username"), "system:serviceaccount:n:robot");
  EXPECT_THAT(ReadTexts(kube::Find(review.body, "status.audiences")),
              ElementsAre("https://kubernetes.default.svc"));
}

TEST_F(ReviewsTest, SaysWhyATokenDoesNotHold) {
  const Reply unknown = Review("tokenreviews", "TokenReview", {{"token", "guess"}}, ann_);
  EXPECT_EQ(unknown.code, 201);
  EXPECT_FALSE(unknown.Is("status.authenticated"));
  EXPECT_EQ(unknown.At("status.error"), "invalid bearer token");
  EXPECT_EQ(Review("tokenreviews", "TokenReview", {}, ann_).At("message"),
            "token is required for TokenReview in authentication");

  store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  const Reply token = RequestToken({});
  world_.Advance(std::chrono::hours(2));
  const Reply late =
      Review("tokenreviews", "TokenReview", {{"token", token.At("status.token")}}, ann_);
  EXPECT_EQ(late.At("status.error"), "[invalid bearer token, service account token has expired]");
}

TEST_F(ReviewsTest, BindsTokensToObjects) {
  store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  const json::object reference{
      {"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "p"}}},
      {"expirationSeconds", 3607}};
  EXPECT_EQ(RequestToken(reference).At("message"), "pods \"p\" not found");
  store_
      .Create(
          "/core/pods/n/p",
          R"({"metadata":{"name":"p","uid":"u2"},"spec":{"serviceAccountName":"robot","nodeName":"w"}})")
      .value();
  const Reply token = RequestToken(reference);
  ASSERT_EQ(token.code, 201);
  const auto claims = authenticator_.tokens().Read(token.At("status.token"));
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->pod, (ObjectReference{"p", "u2"}));
  EXPECT_EQ(claims->node, (ObjectReference{"w", ""}));
  // The kubelet's usual request: the token holds for longer than it says.
  EXPECT_EQ(claims->warn_after, world_.Now() + std::chrono::seconds(3607));
  EXPECT_GT(claims->ends, *claims->warn_after);
}

TEST_F(ReviewsTest, NodesGetTokensForTheirOwnPods) {
  store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  for (const auto& [pod, node] : {std::pair("mine", "w"), std::pair("other", "x")}) {
    const json::value object{{"metadata", {{"name", pod}, {"uid", "u2"}}},
                             {"spec", {{"serviceAccountName", "robot"}, {"nodeName", node}}}};
    store_.Create(std::string("/core/pods/n/") + pod, json::serialize(object)).value();
  }
  const User node{.name = "system:node:w", .groups = {"system:nodes"}};
  const auto ask = [&](const char* pod, const char* uid) {
    return RequestTokenAs(
        node,
        {{"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", pod}, {"uid", uid}}},
         {"expirationSeconds", 3600}});
  };
  EXPECT_EQ(RequestTokenAs(node, {{"expirationSeconds", 3600}}).code, 403);
  EXPECT_EQ(ask("mine", "").code, 403);
  EXPECT_EQ(ask("mine", "u1").code, 403);
  EXPECT_EQ(ask("other", "u2").code, 403);
  EXPECT_EQ(ask("mine", "u2").code, 201);
}

TEST_F(ReviewsTest, RefusesTokenRequestsThatAreWrong) {
  EXPECT_EQ(RequestToken({}, "ghost").At("message"), "serviceaccounts \"ghost\" not found");
  store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  store_.Create("/core/pods/n/p", R"({"metadata":{"name":"p","uid":"u2"},"spec":{}})").value();
  const auto bound = [](json::object reference) {
    return json::object{{"boundObjectRef", std::move(reference)}};
  };
  const struct {
    json::object spec;
    int code;
    const char* message;
  } cases[] = {
      {{{"expirationSeconds", 60}}, 422, "may not specify a duration less than 10 minutes"},
      {{{"expirationSeconds", 4294967297}}, 422, "larger than 2^32 seconds"},
      {bound({{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "p"}}), 400,
       "pod running with different serviceaccount name"},
      {bound({{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "p"}, {"uid", "u9"}}), 409,
       "does not match the UID in record"},
      {bound({{"kind", "Deployment"}, {"apiVersion", "apps/v1"}, {"name", "p"}}), 400,
       "cannot bind token to object of type"},
  };
  for (const auto& [spec, code, message] : cases) {
    const Reply reply = RequestToken(spec);
    EXPECT_EQ(reply.code, code);
    EXPECT_THAT(reply.At("message"), HasSubstr(message));
  }
}

}  // namespace
}  // namespace millwright::apiserver
