#include "apiserver/crd/accepted_names.h"

#include <gtest/gtest.h>

#include "apiserver/crd/testing.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

json::value WithNames(const char* names) {
  json::value crd = MakeCrd();
  crd.at("status").get_object()["acceptedNames"] = json::parse(names);
  return crd;
}

TEST(AcceptedNamesTest, AFreeNameIsAccepted) {
  const auto outcome = DecideNames(MakeCrd(), {}).value();
  EXPECT_EQ(outcome.names_accepted.status, "True");
  EXPECT_EQ(outcome.established.reason, "Installing");
  EXPECT_EQ(json::serialize(outcome.accepted),
            R"({"plural":"lathes","singular":"lathe","kind":"Lathe","listKind":"LatheList"})");
}

TEST(AcceptedNamesTest, NothingNewIsNoOutcome) {
  const json::value crd =
      WithNames(R"({"plural":"lathes","singular":"lathe","kind":"Lathe","listKind":"LatheList"})");
  TakenNames taken;
  taken.Add(crd);
  EXPECT_FALSE(DecideNames(crd, taken));
}

TEST(AcceptedNamesTest, AShortNameThatIsTakenLeavesTheOldOnes) {
  json::value crd = WithNames(
      R"({"plural":"lathes","singular":"lathe","kind":"Lathe","listKind":"LatheList",
          "shortNames":["la"]})");
  crd.at_pointer("/spec/names").get_object()["shortNames"] = json::array{"la", "dr", "sa"};
  TakenNames taken;
  taken.Add(crd);
  taken.resources.insert({"dr", "sa"});
  const auto outcome = DecideNames(crd, taken).value();
  EXPECT_EQ(outcome.names_accepted.reason, "ShortNamesConflict");
  EXPECT_EQ(outcome.names_accepted.message, R"(["dr" is already in use, "sa" is already in use])");
  EXPECT_EQ(json::serialize(outcome.accepted.at("shortNames")), R"(["la"])");
}

}  // namespace
}  // namespace millwright::apiserver
