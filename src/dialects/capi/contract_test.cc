#include "dialects/capi/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/testing.h"
#include "dialects/capi/version_order.h"

namespace millwright::dialects::capi {
namespace {

using testing::External;
using ::testing::HasSubstr;

constexpr std::string_view kV1beta1 = "cluster.x-k8s.io/v1beta1";
constexpr std::string_view kV1beta2 = "cluster.x-k8s.io/v1beta2";

kube::Labels LabelsOf(std::string_view old_versions, std::string_view versions) {
  kube::Labels labels{{"other", "x"}};
  if (!old_versions.empty()) labels[std::string(kV1beta1)] = old_versions;
  if (!versions.empty()) labels[std::string(kV1beta2)] = versions;
  return labels;
}

TEST(Contract, Capi_12_164_newest_contract_then_best_version) {
  EXPECT_EQ(*ChooseContract(LabelsOf("v1alpha1_v1beta1", "v1beta2")), (Contract{true, "v1beta2"}));
  EXPECT_EQ(*ChooseContract(LabelsOf("v1alpha1_v1beta1_v1alpha3", "")),
            (Contract{false, "v1beta1"}));
  EXPECT_EQ(*ChooseContract(LabelsOf("", "v1_v2beta1_v1beta9")), (Contract{true, "v1"}));
}

TEST(Contract, Capi_12_164_no_usable_label_is_an_error_and_not_an_absence) {
  for (const auto& labels : {LabelsOf("", ""), LabelsOf("_", "__")}) {
    const auto chosen = ChooseContract(labels);
    ASSERT_FALSE(chosen);
    EXPECT_NE(chosen.error().kind(), ErrorKind::kNotFound);
    EXPECT_THAT(chosen.error().message(), HasSubstr(kV1beta2));
  }
  kube::Labels empty = LabelsOf("v1", "");
  empty[std::string(kV1beta2)] = "";
  EXPECT_EQ(*ChooseContract(empty), (Contract{false, "v1"}));
}

TEST(Contract, VersionsInTheOrderOfKubernetes) {
  const std::vector<std::string_view> ordered = {"v10",      "v2",      "v1",        "v11beta2",
                                                 "v10beta3", "v3beta1", "v12alpha1", "v11alpha2",
                                                 "foo1",     "foo10"};
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(IsPreferredVersion(ordered[i], ordered[j]), i < j) << ordered[i] << ordered[j];
    }
  }
}

TEST(Contract, DefinitionsAreFoundByEnglishPlurals) {
  EXPECT_EQ(DefinitionName("DevMachine", "infrastructure.cluster.x-k8s.io"),
            "devmachines.infrastructure.cluster.x-k8s.io");
  EXPECT_EQ(Plural("FooPolicy"), "foopolicies");
  EXPECT_EQ(Plural("Gateway"), "gateways");
  EXPECT_EQ(Plural("ClusterClass"), "clusterclasses");
  EXPECT_EQ(Plural("FooProxy"), "fooproxies");
  EXPECT_EQ(Plural("Box"), "boxes");
}

TEST(Contract, FlagsStandInDifferentPlaces) {
  const Contract today{true, "v1"};
  const Contract old{false, "v1"};
  const auto ready = External(R"({"status":{"ready":true,"initialized":true}})");
  const auto initialized = External(R"({"status":{"initialization":
      {"provisioned":true,"dataSecretCreated":true,"controlPlaneInitialized":true}}})");
  for (const auto is : {&IsProvisioned, &HasBootstrapData, &IsControlPlaneInitialized}) {
    EXPECT_TRUE(is(ready, old));
    EXPECT_FALSE(is(ready, today));
    EXPECT_FALSE(is(initialized, old));
    EXPECT_TRUE(is(initialized, today));
  }
}

TEST(Contract, OnlyFieldsThatCountCanBeWrong) {
  const Contract today{true, "v1"};
  const Contract old{false, "v1"};
  const auto record = External(R"({"spec":{"version":1},"status":{"ready":"1/1"}})");
  EXPECT_EQ(InfrastructureProblem(record, today), "");
  EXPECT_EQ(InfrastructureProblem(record, old), "status.ready: is not true or false");
  EXPECT_EQ(BootstrapProblem(record, old), "status.ready: is not true or false");
  EXPECT_EQ(ControlPlaneProblem(record, old), "spec.version: is not text");
  EXPECT_EQ(BootstrapProblem(External(R"({"status":3})"), today), "status: is not an object");
}

TEST(Contract, FailureDomainsInOneForm) {
  EXPECT_EQ(*FailureDomainList(External(R"({"status":{"failureDomains":
      {"b":{"attributes":{"x":"y"}},"a":{"controlPlane":true}}}})")),
            R"([{"controlPlane":true,"name":"a"},)"
            R"({"attributes":{"x":"y"},"controlPlane":false,"name":"b"}])");
  EXPECT_EQ(*FailureDomainList(External(R"({"status":{"failureDomains":[{"name":"b"}]}})")),
            R"([{"name":"b"}])");
  EXPECT_EQ(*FailureDomainList(External(R"({"status":{"failureDomains":{}}})")), "");
  EXPECT_EQ(*FailureDomainList(External("{}")), "");
  EXPECT_FALSE(FailureDomainList(External(R"({"status":{"failureDomains":"x"}})")));
}

}  // namespace
}  // namespace millwright::dialects::capi
