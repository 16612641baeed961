#include "kube/events/correlator.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;

class CorrelatorTest : public testing::Test {
 protected:
  std::optional<EventWrite> Say(const std::string& reason, const std::string& message,
                                const std::string& object = "m") {
    EventNote note;
    note.about = {.api_version = "v1", .kind = "Machine", .key = {"ns", object}, .uid = Uid("u")};
    note.reason = reason;
    note.message = message;
    return correlator_.Add(std::move(note), now_, WallTime(now_.time_since_epoch()));
  }

  SteadyTime now_{1h};
  Correlator correlator_;
};

TEST_F(CorrelatorTest, TheFirstIsCreated) {
  const auto write = Say("Created", "made it");
  ASSERT_TRUE(write);
  EXPECT_TRUE(write->create);
  EXPECT_EQ(write->count, 1);
  EXPECT_TRUE(write->name.starts_with("m."));
}

TEST_F(CorrelatorTest, TheSameAgainRaisesTheCount) {
  const auto first = Say("Created", "made it");
  now_ += 1s;
  const auto second = Say("Created", "made it");
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->create);
  EXPECT_EQ(second->name, first->name);
  EXPECT_EQ(second->count, 2);
  EXPECT_EQ(second->first, first->first);
  EXPECT_EQ(second->last - second->first, 1s);
}

TEST_F(CorrelatorTest, AfterAWhileTheSameIsNewsAgain) {
  Say("Created", "made it");
  now_ += 11min;
  const auto later = Say("Created", "made it");
  EXPECT_TRUE(later->create);
  EXPECT_EQ(later->count, 1);
}

TEST_F(CorrelatorTest, ManySimilarOnesBecomeOne) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Say("Failed", "try " + std::to_string(i))->create);
  const auto combined = Say("Failed", "try 10");
  EXPECT_EQ(combined->note.message, "(combined from similar events): try 10");
  EXPECT_TRUE(combined->create);
  const auto more = Say("Failed", "try 11");
  EXPECT_EQ(more->name, combined->name);
  EXPECT_EQ(more->count, 2);
}

TEST_F(CorrelatorTest, AnObjectThatNeverStopsIsCutOffAndOthersAreNot) {
  int written = 0;
  for (int i = 0; i < 100; ++i) written += Say("R" + std::to_string(i), "x") ? 1 : 0;
  EXPECT_EQ(written, 25);
  EXPECT_TRUE(Say("R", "x", "another"));
  now_ += 5min + 1s;
  EXPECT_TRUE(Say("R200", "x"));
  EXPECT_FALSE(Say("R201", "x"));
}

TEST_F(CorrelatorTest, AForgottenEventIsCreatedAnew) {
  Say("Created", "made it");
  const auto patch = Say("Created", "made it");
  correlator_.Forget(*patch);
  EXPECT_TRUE(Say("Created", "made it")->create);
}

TEST_F(CorrelatorTest, LongMessagesAreCut) {
  EXPECT_EQ(Say("Created", std::string(5000, 'x'))->note.message.size(), 1024u);
}

TEST_F(CorrelatorTest, NoCharacterIsCutInHalf) {
  std::string euros = "x";  // so that the limit falls into one
  while (euros.size() < 5000) euros += "€";
  const std::string message = Say("Created", euros)->note.message;
  EXPECT_EQ(message.size(), 1u + 1023 / 3 * 3);
  EXPECT_TRUE(euros.starts_with(message));
}

TEST_F(CorrelatorTest, ALongNameIsCutToAValidOne) {
  const auto write = Say("Created", "made it", std::string(235, 'a') + "-" + std::string(17, 'b'));
  EXPECT_TRUE(write->name.starts_with(std::string(235, 'a') + "."));
  EXPECT_LE(write->name.size(), 253u);
}

TEST_F(CorrelatorTest, SeverityAndObjectsUidTellApart) {
  EventNote note;
  note.reason = "R";
  note.message = "same";
  const auto add = [&] { return correlator_.Add(note, now_, WallTime{}); };
  EXPECT_TRUE(add()->create);
  note.severity = EventSeverity::kWarning;
  EXPECT_TRUE(add()->create);
  note.about.uid = Uid("another of that name");
  EXPECT_TRUE(add()->create);
  EXPECT_FALSE(add()->create);
}

TEST_F(CorrelatorTest, SimilarOnesStandAloneAgainAfterAWhile) {
  for (int i = 0; i < 11; ++i) Say("Failed", "try " + std::to_string(i));
  now_ += 11min;
  EXPECT_EQ(Say("Failed", "try 12")->note.message, "try 12");
}

TEST_F(CorrelatorTest, RemembersABoundedNumberOfObjects) {
  Correlator small({.capacity = 2});
  EventNote note;
  note.reason = "R";
  for (const char* name : {"a", "b", "c", "a"}) {
    note.about.key.name = name;
    EXPECT_TRUE(small.Add(note, now_, WallTime{})->create) << name;
  }
}

}  // namespace
}  // namespace millwright::kube
