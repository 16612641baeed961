#include "apiserver/store/restore.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

RecordPtr Row(const std::string& key, Revision revision, std::int64_t version) {
  return std::make_shared<Record>(
      Record{.key = key, .value = "", .mod_revision = revision, .version = version});
}

DiskImage Image(Revision compacted, std::vector<RecordPtr> rows) {
  return {.cluster_id = "c", .compacted = compacted, .rows = std::move(rows)};
}

TEST(RestoreTest, AnEmptyStoreIsAtItsCompactRevision) {
  const auto restored = Restore(Image(1, {}), {});
  EXPECT_EQ(restored->history.last(), 1);
  EXPECT_EQ(restored->objects.size(), 0u);
}

TEST(RestoreTest, RowsAfterTheCompactRevisionAreHistory) {
  const auto restored =
      Restore(Image(5, {Row("/a", 2, 1), Row("/b", 5, 3), Row("/a", 6, 2), Row("/b", 7, 0)}), {});
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->history.last(), 7);
  EXPECT_EQ(restored->history.At(6).kind(), ChangeKind::kUpdate);
  EXPECT_EQ(restored->history.At(6).previous->mod_revision, 2);
  EXPECT_EQ(restored->history.At(7).kind(), ChangeKind::kDelete);
  EXPECT_EQ(restored->history.At(7).previous->mod_revision, 5);
  EXPECT_EQ(restored->objects.Find("/a")->mod_revision, 6);
  EXPECT_EQ(restored->objects.Find("/b"), nullptr);
}

struct DamageCase {
  const char* name;
  DiskImage image;
};

void PrintTo(const DamageCase& c, std::ostream* out) { *out << c.name; }

class RestoreDamageTest : public testing::TestWithParam<DamageCase> {};

TEST_P(RestoreDamageTest, IsFound) {
  const auto restored = Restore(GetParam().image, {});
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().kind(), ErrorKind::kInternal);
}

INSTANTIATE_TEST_SUITE_P(
    All, RestoreDamageTest,
    testing::Values(DamageCase{"AGapInTheHistory", Image(5, {Row("/a", 6, 1), Row("/b", 8, 1)})},
                    DamageCase{"AGapAtItsStart", Image(5, {Row("/a", 7, 1)})},
                    DamageCase{"RowsOutOfOrder", Image(9, {Row("/a", 7, 1), Row("/b", 6, 1)})},
                    DamageCase{"ARowWithoutAKey", Image(9, {Row("", 7, 1)})}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::apiserver
