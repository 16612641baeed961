#include "core/rollout/revision.h"

#include <gtest/gtest.h>

namespace millwright::core {
namespace {

std::vector<MachineSet> Revisions(std::initializer_list<std::int64_t> revisions) {
  std::vector<MachineSet> sets;
  for (const std::int64_t revision : revisions) sets.push_back({.revision = revision});
  return sets;
}

TEST(Revision, Capi_12_125_CountsUpWithEachTemplate) {
  EXPECT_EQ(NextRevision(0, {}), 1);
  EXPECT_EQ(NextRevision(0, Revisions({1})), 2);
  EXPECT_EQ(NextRevision(1, Revisions({2})), 3);
}

TEST(Revision, NeverGoesDown) {
  EXPECT_EQ(NextRevision(7, Revisions({2, 3})), 7);
  EXPECT_EQ(NextRevision(4, Revisions({3, 0})), 4);
}

TEST(Revision, HistoryKeepsWhatASetWasBefore) {
  EXPECT_EQ(ExtendHistory("", 1, 3), "1");
  EXPECT_EQ(ExtendHistory("1", 3, 5), "1,3");
  EXPECT_EQ(ExtendHistory("1", 3, 3), "1");
  EXPECT_EQ(ExtendHistory("", 0, 1), "");
}

TEST(Rollback, Gardener_13_117_GoesToTheNamedRevisionOrTheOneBefore) {
  const auto sets = Revisions({1, 3, 2});
  EXPECT_EQ(FindRollbackTarget(sets, 1), 0u);
  EXPECT_EQ(FindRollbackTarget(sets, 0), 2u);
}

TEST(Rollback, NowhereIfThereIsNone) {
  EXPECT_EQ(FindRollbackTarget(Revisions({1, 2}), 9), std::nullopt);
  EXPECT_EQ(FindRollbackTarget(Revisions({1}), 0), std::nullopt);
  EXPECT_EQ(FindRollbackTarget(Revisions({0, 0}), 0), std::nullopt);
}

}  // namespace
}  // namespace millwright::core
