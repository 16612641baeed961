// Requests for certificates from the first POST to the signed certificate.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/auth/certificates/admission.h"
#include "apiserver/auth/certificates/endpoints.h"
#include "apiserver/auth/certificates/signer.h"
#include "apiserver/auth/certificates/signer_rules.h"
#include "apiserver/auth/pki/test_request.h"
#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"
#include "base/base64.h"
#include "kube/api/json_text.h"
#include "net/server_identity.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

class CertificatesTest : public testing::Test {
 protected:
  CertificatesTest() {
    registry_.Add(std::make_shared<Resource>(
        Resource{.kind = {"certificates.k8s.io", "v1", "CertificateSigningRequest"},
                 .plural = "certificatesigningrequests",
                 .singular = "certificatesigningrequest",
                 .list_kind = "CertificateSigningRequestList",
                 .namespaced = false,
                 .has_status = true,
                 .storage_version = "v1"}));
    admission_.Add(std::make_unique<CertificateRequestStep>(authorizer_, store_.clock()));
    AddCertificateEndpoints(endpoints_);
    store_.tasks().Spawn([this] { return signer_.Run(); });
    Grant("helper", "approve", "signers", "kubernetes.io/*");
    Grant("kubelet", "create", "certificatesigningrequests/nodeclient", "");
  }

  void Grant(const std::string& user, const char* verb, const char* resource, const char* name) {
    json::object rule{
        {"verbs", {verb}}, {"apiGroups", {"certificates.k8s.io"}}, {"resources", {resource}}};
    if (*name != '\0') rule["resourceNames"] = json::array{name};
    const json::object role{{"rules", json::array{rule}}};
    const json::object binding{{"metadata", {{"name", user}}},
                               {"roleRef", {{"kind", "ClusterRole"}, {"name", user}}},
                               {"subjects", {{{"kind", "User"}, {"name", user}}}}};
    const std::string root = "/rbac.authorization.k8s.io/";
    store_.Create(root + "clusterroles/" + user, json::serialize(role)).value();
    store_.Create(root + "clusterrolebindings/" + user, json::serialize(binding)).value();
  }

  struct Reply {
    int code;
    json::value body;

    std::string At(std::string_view path) const { return std::string(kube::GetString(body, path)); }
  };

  Reply Send(const char* method, std::string subresource, const json::value& body,
             const User& user) {
    const bool creates = std::string_view(method) == "POST";
    const Call call{
        .resource = registry_.Find("certificates.k8s.io", "v1", "certificatesigningrequests"),
        .place = {.group = "certificates.k8s.io",
                  .version = "v1",
                  .resource = "certificatesigningrequests",
                  .name = creates ? "" : "r",
                  .subresource = std::move(subresource)},
        .target = {},
        .method = method,
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

  Reply Create(std::string_view signer, const TestRequest& wanted, const User& user,
               std::vector<std::string> usages = {"client auth"}) {
    return Send("POST", "",
                {{"apiVersion", "certificates.k8s.io/v1"},
                 {"kind", "CertificateSigningRequest"},
                 {"metadata", {{"name", "r"}}},
                 {"spec",
                  {{"request", EncodeBase64(MakeRequestPem(wanted, key_))},
                   {"signerName", signer},
                   {"username", "somebody else"},
                   {"usages", json::value_from(usages)}}}},
                user);
  }

  Reply Decide(const char* type, const User& user, const char* subresource = "approval") {
    json::value object = Send("GET", "", {}, user).body;
    object.get_object()["status"] = {
        {"conditions", {json::object{{"type", type}, {"status", "True"}, {"reason", "x"}}}}};
    return Send("PUT", subresource, object, user);
  }

  json::value Now() {
    world_.Settle();
    return Send("GET", "", {}, {}).body;
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  // Commits fail while this says so.
  bool disk_full_ = false;
  VirtualStore store_{world_, platter_, [this](std::uint64_t) {
                        CommitFate fate;
                        if (disk_full_) fate.error = Error(ErrorKind::kUnavailable, "full");
                        return fate;
                      }};
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
  CertificateSigner signer_{services_, authorizer_, pki_};
  SpecialEndpoints endpoints_;
  const PrivateKey key_ = PrivateKey::Generate();
  const User ann_{.name = "ann", .uid = "7", .groups = {"g"}, .extra = {{"k", {"v"}}}};
  const User helper_{.name = "helper"};
};

TEST_F(CertificatesTest, RemembersWhoAsked) {
  const Reply reply = Create(kClientSigner, {.common_name = "ann"}, ann_);
  ASSERT_EQ(reply.code, 201);
  EXPECT_EQ(reply.At("spec.username"), "ann");
  EXPECT_EQ(reply.At("spec.uid"), "7");
  EXPECT_EQ(kube::GetString(reply.body, "spec.extra.k"), "");
  EXPECT_EQ(reply.body.at("spec").at("extra").at("k").at(0), "v");
}

TEST_F(CertificatesTest, SignsWhatWasApproved) {
  ASSERT_EQ(Create(kClientSigner, {.common_name = "ann", .organizations = {"g"}}, ann_).code, 201);
  EXPECT_EQ(kube::GetString(Now(), "status.certificate"), "");
  const Reply approved = Decide("Approved", helper_);
  ASSERT_EQ(approved.code, 200) << approved.At("message");
  const json::value object = Now();
  const auto pem = DecodeBase64(kube::GetString(object, "status.certificate"));
  const auto certificate = Certificate::Parse(pem.value());
  ASSERT_TRUE(certificate);
  EXPECT_TRUE(certificate->BelongsTo(key_));
  EXPECT_TRUE(certificate->IsSignedBy(Certificate::Parse(pki_.ca.certificate).value()));
  const auto names = net::NamesIn(*certificate->get());
  EXPECT_EQ(names.common_name, "ann");
  EXPECT_THAT(names.organizations, ElementsAre("g"));
  // And once only.
  const Revision revision = store_->revision();
  world_.Advance(std::chrono::minutes(1));
  EXPECT_EQ(store_->revision(), revision);
}

TEST_F(CertificatesTest, FailsWhatBreaksTheSignersRules) {
  ASSERT_EQ(Create(kKubeletServingSigner, {.common_name = "ann"}, ann_).code, 201);
  ASSERT_EQ(Decide("Approved", helper_).code, 200);
  const json::value object = Now();
  const json::value& failed = object.at("status").at("conditions").at(1);
  EXPECT_EQ(kube::GetString(failed, "type"), "Failed");
  EXPECT_EQ(kube::GetString(failed, "reason"), "SignerValidationFailure");
  EXPECT_EQ(kube::GetString(failed, "message"), "subject organization is not system:nodes");
}

TEST_F(CertificatesTest, LetsKubeletsInByThemselves) {
  const User kubelet{.name = "kubelet"};
  ASSERT_EQ(Create(kKubeletClientSigner,
                   {.common_name = "system:node:a", .organizations = {"system:nodes"}}, kubelet,
                   {"client auth", "digital signature"})
                .code,
            201);
  const json::value object = Now();
  EXPECT_EQ(kube::GetString(object.at("status").at("conditions").at(0), "reason"), "AutoApproved");
  EXPECT_NE(kube::GetString(object, "status.certificate"), "");
}

TEST_F(CertificatesTest, RefusesWhoMayNotDecideOrSign) {
  ASSERT_EQ(Create(kClientSigner, {.common_name = "ann"}, ann_).code, 201);
  const Reply approval = Decide("Approved", ann_);
  EXPECT_EQ(approval.code, 403);
  EXPECT_EQ(approval.At("message"),
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: user not permitted "
            "to approve requests with signerName \"kubernetes.io/kube-apiserver-client\"");
  EXPECT_EQ(Decide("Failed", ann_, "status").code, 403);
  EXPECT_EQ(Decide("Approved", helper_, "status").code, 422);
}

TEST_F(CertificatesTest, RefusesRequestsThatProveNothing) {
  const Reply masters =
      Create(kClientSigner, {.common_name = "ann", .organizations = {"system:masters"}}, ann_);
  EXPECT_EQ(masters.code, 403);
  EXPECT_EQ(masters.At("message"),
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: use of "
            "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
  const Reply broken = Send("POST", "",
                            {{"apiVersion", "certificates.k8s.io/v1"},
                             {"kind", "CertificateSigningRequest"},
                             {"metadata", {{"name", "r"}}},
                             {"spec", {{"request", "AAAA"}, {"signerName", kClientSigner}}}},
                            ann_);
  EXPECT_EQ(broken.code, 422);
}

TEST_F(CertificatesTest, GoesOnAfterADiskThatWasFull) {
  const User kubelet{.name = "kubelet"};
  ASSERT_EQ(Create(kKubeletClientSigner,
                   {.common_name = "system:node:a", .organizations = {"system:nodes"}}, kubelet,
                   {"client auth", "digital signature"})
                .code,
            201);
  disk_full_ = true;
  EXPECT_EQ(kube::GetString(Now(), "status.certificate"), "");
  disk_full_ = false;
  world_.Advance(std::chrono::seconds(10));
  EXPECT_NE(kube::GetString(Now(), "status.certificate"), "");
}

}  // namespace
}  // namespace millwright::apiserver
