#include "dialects/gardener/template_hash.h"

#include <gtest/gtest.h>

#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using testing::Is;

// A set of two machines; which of its places have the hash, and how many machines it saw with its
// template's labels.
SetRecord SetOf(bool in_template, bool in_selector, int labelled = 2, int observed = 2) {
  const std::string with = R"({"name":"pool","machine-template-hash":"42"})";
  const std::string without = R"({"name":"pool"})";
  return testing::Set(
      R"({"metadata":{"name":"pool-a","namespace":"shoot","uid":"s1","generation":2},
      "spec":{"replicas":2,"selector":{"matchLabels":)" +
      (in_selector ? with : without) + R"(},"template":{"metadata":{"labels":)" +
      (in_template ? with : without) +
      R"(},"spec":{"class":{"kind":"MachineClass","name":"small"}}}},
      "status":{"replicas":2,"fullyLabeledReplicas":)" +
      std::to_string(labelled) + R"(,"observedGeneration":)" + std::to_string(observed) + "}}");
}

TEST(TemplateHash, IsTheSameForTheSameTemplateWithOrWithoutItsHash) {
  const SetRecord with = SetOf(true, true);
  const SetRecord without = SetOf(false, false);
  EXPECT_EQ(TemplateHash(with.machine_template), TemplateHash(without.machine_template));
  EXPECT_NE(TemplateHash(with.machine_template, 1), TemplateHash(with.machine_template));
}

TEST(HashOnSet, ChangesNothingOnASetThatHasOne) {
  EXPECT_TRUE(HashOnSet(SetOf(true, true)).empty());
  EXPECT_TRUE(HashOnSet(SetOf(true, true, 0, 0)).empty());
}

TEST(HashOnSet, BeginsWithTheTemplate) {
  const SetRecord set = SetOf(false, false);
  const std::string hash = TemplateHash(set.machine_template);
  EXPECT_TRUE(
      Is(HashOnSet(set), R"({"spec":{"template":{"metadata":{"labels":{"machine-template-hash":")" +
                             hash + R"("}}}}})"));
}

TEST(HashOnSet, WaitsUntilEveryMachineHasTheLabel) {
  EXPECT_TRUE(HashOnSet(SetOf(true, false, 1)).empty());
  EXPECT_TRUE(HashOnSet(SetOf(true, false, 2, 1)).empty()) << "that report is about an older wish";
  EXPECT_TRUE(Is(HashOnSet(SetOf(true, false)),
                 R"({"metadata":{"labels":{"machine-template-hash":"42"}},
                     "spec":{"selector":{"matchLabels":{"machine-template-hash":"42"}}}})"));
}

TEST(HashOnSet, LeavesASetAloneThatGoes) {
  SetRecord set = SetOf(false, false);
  set.core.deleting = true;
  EXPECT_TRUE(HashOnSet(set).empty());
}

TEST(HashOnMachine, IsWhatTheTemplateHasAndTheMachineHasNot) {
  const MachineRecord bare = testing::Machine(R"({"metadata":{"name":"m"},"spec":{}})");
  const MachineRecord old = testing::Machine(
      R"({"metadata":{"name":"m","labels":{"machine-template-hash":"7"}},"spec":{}})");
  EXPECT_TRUE(Is(HashOnMachine(SetOf(true, false), bare), R"({"machine-template-hash":"42"})"));
  EXPECT_TRUE(HashOnMachine(SetOf(false, false), bare).empty());
  EXPECT_TRUE(HashOnMachine(SetOf(true, true), old).empty()) << "it changes sets by that label";
}

}  // namespace
}  // namespace millwright::dialects::gardener
