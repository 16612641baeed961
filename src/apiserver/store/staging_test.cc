#include "apiserver/store/staging.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using Kind = WriteRequest::Kind;

// The store has "/a" at revision 5, created at 3, written twice; the newest revision is 9.
Objects StoreWithA() {
  Objects objects;
  objects.Apply(std::make_shared<Record>(
      Record{.key = "/a", .value = "old", .create_revision = 3, .mod_revision = 5, .version = 2}));
  return objects;
}

std::string Describe(const Result<Change>& outcome) {
  if (!outcome) return std::string(ToString(outcome.error().kind()));
  const Record& record = *outcome->record;
  return std::to_string(record.create_revision) + "/" + std::to_string(record.mod_revision) + "/v" +
         std::to_string(record.version) + " " + record.value +
         (outcome->previous ? " was " + outcome->previous->value : "");
}

struct Step {
  Kind kind;
  std::string key;
  std::optional<Revision> expected;
};

struct Case {
  const char* name;
  std::vector<Step> steps;
  const char* want;  // of the last one
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"CreatesANewKey", {{Kind::kCreate, "/b", {}}}, "10/10/v1 text10"},
    {"RefusesASecondCreate", {{Kind::kCreate, "/a", {}}}, "already exists"},
    {"UpdatesAtTheExpectedRevision", {{Kind::kUpdate, "/a", 5}}, "3/10/v3 text10 was old"},
    {"UpdatesWhateverIsThere", {{Kind::kUpdate, "/a", {}}}, "3/10/v3 text10 was old"},
    {"RefusesAnUpdateOfAnOlderVersion", {{Kind::kUpdate, "/a", 4}}, "conflict"},
    {"RefusesAnUpdateOfNothing", {{Kind::kUpdate, "/b", {}}}, "not found"},
    {"DeletesAtTheExpectedRevision", {{Kind::kDelete, "/a", 5}}, "3/10/v0  was old"},
    {"RefusesADeleteOfAnOlderVersion", {{Kind::kDelete, "/a", 3}}, "conflict"},
    {"RefusesADeleteOfNothing", {{Kind::kDelete, "/b", {}}}, "not found"},
    {"RefusesAnEmptyKey", {{Kind::kCreate, "", {}}}, "invalid"},
    {"AnUpdateSeesTheOneBefore",
     {{Kind::kUpdate, "/a", 5}, {Kind::kUpdate, "/a", 10}},
     "3/11/v4 text11 was text10"},
    {"TheSecondOfTwoUpdatesConflicts",
     {{Kind::kUpdate, "/a", 5}, {Kind::kUpdate, "/a", 5}},
     "conflict"},
    {"ARefusedWriteTakesNoRevision",
     {{Kind::kUpdate, "/a", 1}, {Kind::kCreate, "/b", {}}},
     "10/10/v1 text10"},
    {"WhatIsDeletedCanBeCreatedAgain",
     {{Kind::kDelete, "/a", 5}, {Kind::kCreate, "/a", {}}},
     "11/11/v1 text11"},
    {"WhatIsDeletedCannotBeDeletedAgain",
     {{Kind::kDelete, "/a", 5}, {Kind::kDelete, "/a", {}}},
     "not found"},
};

class StagingTest : public testing::TestWithParam<Case> {};

TEST_P(StagingTest, JudgesTheLastWrite) {
  const Objects objects = StoreWithA();
  Staging staging(objects, 9);
  std::string last;
  for (const Step& step : GetParam().steps) {
    last = Describe(staging.Stage(
        {.kind = step.kind, .key = step.key, .expected = step.expected, .build = [](Revision r) {
           return "text" + std::to_string(r);
         }}));
  }
  EXPECT_EQ(last, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, StagingTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(StagingTest, ARefusedWriteIsNotSerialised) {
  const Objects objects = StoreWithA();
  Staging staging(objects, 9);
  bool built = false;
  const auto outcome = staging.Stage({.kind = Kind::kCreate, .key = "/a", .build = [&](Revision) {
                                        built = true;
                                        return std::string();
                                      }});
  EXPECT_FALSE(outcome);
  EXPECT_FALSE(built);
}

TEST(StagingTest, KeepsNoSpareRoomInTexts) {
  const Objects objects;
  Staging staging(objects, 1);
  const auto outcome = staging.Stage({.key = "/k", .build = [](Revision) {
                                        std::string text(1000, 'x');
                                        text.reserve(5000);
                                        return text;
                                      }});
  EXPECT_EQ(outcome->record->value.capacity(), 1000u);
}

}  // namespace
}  // namespace millwright::apiserver
