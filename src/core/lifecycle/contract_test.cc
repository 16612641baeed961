#include "core/lifecycle/contract.h"

#include <gtest/gtest.h>

namespace millwright::core {
namespace {

using Kind = ContractOutcome::Kind;

struct BootstrapCase {
  const char* name;
  BootstrapView view;
  Kind want;
};

const BootstrapCase kBootstraps[] = {
    {"Capi_12_006_NoneNamed", {}, Kind::kNothing},
    {"Capi_12_007_Missing", {.state = ObjectState::kMissing}, Kind::kLookAgain},
    {"Capi_12_008_Unreadable", {.state = ObjectState::kUnreadable}, Kind::kError},
    {"Capi_12_009_NotReady",
     {.state = ObjectState::kFound, .reported_secret = "s"},
     Kind::kNothing},
    {"Capi_12_010_Ready",
     {.state = ObjectState::kFound, .ready = true, .reported_secret = "s"},
     Kind::kLearnt},
    {"Capi_12_012_ReadyWithoutASecret",
     {.state = ObjectState::kFound, .ready = true},
     Kind::kError},
    {"Capi_12_013_TheMachineKeepsItsOwn",
     {.state = ObjectState::kFound, .ready = true, .reported_secret = "b", .known_secret = "a"},
     Kind::kLearnt},
    {"Capi_12_014_MissingWhileItGoes",
     {.state = ObjectState::kMissing, .machine_deleting = true},
     Kind::kNothing},
    {"NothingIsLearntFromWhatGoes",
     {.state = ObjectState::kFound, .object_deleting = true, .ready = true, .reported_secret = "s"},
     Kind::kNothing},
};

class BootstrapTest : public testing::TestWithParam<BootstrapCase> {};

TEST_P(BootstrapTest, IsRead) { EXPECT_EQ(ReadBootstrap(GetParam().view).kind, GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, BootstrapTest, testing::ValuesIn(kBootstraps),
                         [](const auto& test) { return std::string(test.param.name); });

struct InfrastructureCase {
  const char* name;
  InfrastructureView view;
  Kind want;
};

const InfrastructureCase kInfrastructures[] = {
    {"Capi_12_015_MissingAndNeverThere", {.state = ObjectState::kMissing}, Kind::kLookAgain},
    {"Capi_12_016_GoneAfterUse",
     {.state = ObjectState::kMissing, .provisioned_before = true},
     Kind::kError},
    {"Capi_12_017_GoneWithItsMachine",
     {.state = ObjectState::kMissing, .provisioned_before = true, .machine_deleting = true},
     Kind::kNothing},
    {"Capi_12_018_NotReady", {.reported_instance = "id"}, Kind::kNothing},
    {"Capi_12_019_Ready", {.ready = true, .reported_instance = "id"}, Kind::kLearnt},
    {"Capi_12_022_ReadyWithoutAnId", {.ready = true}, Kind::kNothing},
    {"Capi_12_023_NotReadyAnyMore",
     {.reported_instance = "id", .provisioned_before = true},
     Kind::kLearnt},
    {"NothingIsLearntFromWhatGoes",
     {.object_deleting = true, .ready = true, .reported_instance = "id"},
     Kind::kNothing},
};

class InfrastructureTest : public testing::TestWithParam<InfrastructureCase> {};

TEST_P(InfrastructureTest, IsRead) {
  EXPECT_EQ(ReadInfrastructure(GetParam().view).kind, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, InfrastructureTest, testing::ValuesIn(kInfrastructures),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Infrastructure, Capi_12_016_SaysThatItIsGoneAfterUse) {
  EXPECT_TRUE(ReadInfrastructure({.state = ObjectState::kMissing, .provisioned_before = true})
                  .missing_after_use);
}

}  // namespace
}  // namespace millwright::core
