#include "apiserver/store/list.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

// A store that grows by Put and Remove, as a round of the real one does.
class ListTest : public testing::Test {
 protected:
  void Put(const std::string& key) { Apply(key, 1); }
  void Remove(const std::string& key) { Apply(key, 0); }

  void Apply(const std::string& key, std::int64_t version) {
    const Revision revision = history_.last() + 1;
    auto record = std::make_shared<Record>(
        Record{.key = key, .value = "", .mod_revision = revision, .version = version});
    history_.Append({record, objects_.Find(key)}, {});
    objects_.Apply(record);
  }

  // "key@revision" for each, "..." if there are more, "+n" if they were counted.
  std::string List(const ListQuery& query) const {
    const Result<Page> page = ListObjects(objects_, history_, query);
    if (!page) return std::string(ToString(page.error().kind()));
    std::string text;
    for (const RecordPtr& record : page->records) {
      text += record->key + "@" + std::to_string(record->mod_revision) + " ";
    }
    if (page->more) text += "...";
    if (page->remaining > 0) text += "+" + std::to_string(page->remaining);
    return text;
  }

  Objects objects_;
  History history_{1};
};

TEST_F(ListTest, AScopeEndsAtItsSlash) {
  for (const char* key : {"/pods/a", "/pods/b", "/podsets/a", "/nodes/a", "/pods/b/c"}) Put(key);
  EXPECT_EQ(List({.scope = "/pods/"}), "/pods/a@2 /pods/b@3 /pods/b/c@6 ");
  EXPECT_EQ(List({.scope = "/pods/b"}), "/pods/b@3 ");
  EXPECT_EQ(List({.scope = "/none/"}), "");
  EXPECT_EQ(List({.scope = ""}), "/nodes/a@5 /pods/a@2 /pods/b@3 /pods/b/c@6 /podsets/a@4 ");
}

TEST_F(ListTest, GivesPages) {
  for (const char* key : {"/p/a", "/p/b", "/p/c", "/p/d", "/q/x"}) Put(key);
  EXPECT_EQ(List({.scope = "/p/", .limit = 2}), "/p/a@2 /p/b@3 ...");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/p/b", .limit = 2}), "/p/c@4 /p/d@5 ");
  EXPECT_EQ(List({.scope = "/p/", .limit = 1, .count_remaining = true}), "/p/a@2 ...+3");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/p/bb", .limit = 1}), "/p/c@4 ...");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/p/d"}), "");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/z"}), "");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/a"}), "/p/a@2 /p/b@3 /p/c@4 /p/d@5 ");
}

TEST_F(ListTest, ShowsThePastAsItWas) {
  for (const char* key : {"/p/b", "/p/d", "/p/f"}) Put(key);  // 2, 3, 4
  Put("/p/d");                                                // 5
  Remove("/p/f");                                             // 6
  Put("/p/a");                                                // 7
  Put("/p/f");                                                // 8
  Remove("/p/b");                                             // 9
  EXPECT_EQ(List({.scope = "/p/"}), "/p/a@7 /p/d@5 /p/f@8 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 9}), "/p/a@7 /p/d@5 /p/f@8 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 8}), "/p/a@7 /p/b@2 /p/d@5 /p/f@8 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 6}), "/p/b@2 /p/d@5 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 4}), "/p/b@2 /p/d@3 /p/f@4 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 1}), "");
}

TEST_F(ListTest, PagesOfThePastFitTogether) {
  for (const char* key : {"/p/a", "/p/b", "/p/c", "/p/d"}) Put(key);  // 2 to 5
  EXPECT_EQ(List({.scope = "/p/", .limit = 2}), "/p/a@2 /p/b@3 ...");
  Remove("/p/d");
  Remove("/p/c");
  Put("/p/bb");
  Put("/p/a");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/p/b", .limit = 1, .revision = 5}), "/p/c@4 ...");
  EXPECT_EQ(List({.scope = "/p/", .start_after = "/p/c", .limit = 1, .revision = 5}), "/p/d@5 ");
  EXPECT_EQ(List({.scope = "/p/",
                  .start_after = "/p/a",
                  .limit = 1,
                  .revision = 5,
                  .count_remaining = true}),
            "/p/b@3 ...+2");
}

TEST_F(ListTest, ACompactedRevisionIsExpiredAndAFutureOneNotThere) {
  for (const char* key : {"/p/a", "/p/b", "/p/c"}) Put(key);
  history_.Trim(3);
  EXPECT_EQ(List({.scope = "/p/", .revision = 2}), "expired");
  EXPECT_EQ(List({.scope = "/p/", .revision = 3}), "/p/a@2 /p/b@3 ");
  EXPECT_EQ(List({.scope = "/p/", .revision = 5}), "unavailable");
}

}  // namespace
}  // namespace millwright::apiserver
