#include "apiserver/auth/certificates/plan.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/auth/certificates/signer_rules.h"
#include "apiserver/auth/pki/test_request.h"
#include "base/base64.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using Action = RequestStep::Action;

json::value Request(std::string_view signer, const std::string& user,
                    const std::vector<std::string>& conditions = {},
                    const TestRequest& wanted = {.common_name = "system:node:a",
                                                 .organizations = {"system:nodes"}}) {
  json::array list;
  for (const std::string& type : conditions) {
    list.emplace_back(json::object{{"type", type}, {"status", "True"}});
  }
  return {{"spec",
           {{"request", EncodeBase64(MakeRequestPem(wanted))},
            {"signerName", signer},
            {"username", user},
            {"usages", {"digital signature", "client auth"}}}},
          {"status", {{"conditions", list}}}};
}

TEST(PlanRequestTest, ApprovesKubeletsThatMay) {
  const auto may = [](std::string_view what) {
    return [what](const User& user, std::string_view part) {
      return user.name != "eve" && part == what;
    };
  };
  const RequestStep self{
      Action::kApprove,
      "Auto approving self kubelet client certificate after SubjectAccessReview."};
  const RequestStep other{Action::kApprove,
                          "Auto approving kubelet client certificate after SubjectAccessReview."};
  const json::value renewal = Request(kKubeletClientSigner, "system:node:a");
  const json::value first = Request(kKubeletClientSigner, "system:bootstrap:abcdef");
  EXPECT_EQ(PlanRequest(renewal, may("selfnodeclient")), self);
  EXPECT_EQ(PlanRequest(renewal, may("nodeclient")), other);
  EXPECT_EQ(PlanRequest(first, may("nodeclient")), other);
  EXPECT_EQ(PlanRequest(first, may("selfnodeclient")), RequestStep());
  EXPECT_EQ(PlanRequest(Request(kKubeletClientSigner, "eve"), may("nodeclient")), RequestStep());
  EXPECT_EQ(PlanRequest(Request(kKubeletServingSigner, "system:node:a"), may("nodeclient")),
            RequestStep());
  EXPECT_EQ(PlanRequest(Request(kKubeletClientSigner, "x", {}, {.common_name = "root"}),
                        may("nodeclient")),
            RequestStep());
}

TEST(PlanRequestTest, SignsOnlyWhatWasApproved) {
  const auto nobody = [](const User&, std::string_view) { return false; };
  const struct {
    std::string_view signer;
    std::vector<std::string> conditions;
    Action action;
  } cases[] = {
      {kClientSigner, {}, Action::kNothing},
      {kClientSigner, {"Approved"}, Action::kSign},
      {kClientSigner, {"Approved", "Denied"}, Action::kNothing},
      {kClientSigner, {"Denied"}, Action::kNothing},
      {kClientSigner, {"Approved", "Failed"}, Action::kNothing},
      {kKubeletClientSigner, {"Approved"}, Action::kSign},
      {kKubeletServingSigner, {"Approved"}, Action::kFail},
      {"example.com/other", {"Approved"}, Action::kNothing},
  };
  for (const auto& [signer, conditions, action] : cases) {
    EXPECT_EQ(PlanRequest(Request(signer, "x", conditions), nobody).action, action) << signer;
  }
  json::value done = Request(kClientSigner, "x", {"Approved"});
  done.at("status").get_object()["certificate"] = "AAAA";
  EXPECT_EQ(PlanRequest(done, nobody), RequestStep());
  json::value broken = Request(kClientSigner, "x", {"Approved"});
  broken.at("spec").at("request") = "AAAA";
  EXPECT_EQ(PlanRequest(broken, nobody), RequestStep());
}

}  // namespace
}  // namespace millwright::apiserver
