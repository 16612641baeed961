// Sets of an age in which there was no hash yet: they get one, and nothing happens to their
// machines.
#include <set>

#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* kHash = "machine-template-hash";
constexpr const char* kNoHash = R"({"metadata": {"labels": {"machine-template-hash": null}}})";
constexpr const char* kNoHashInSpec = R"({"spec": {
  "selector": {"matchLabels": {"machine-template-hash": null, "app": "web"}},
  "template": {"metadata": {"labels": {"machine-template-hash": null}}}}})";

class TakeOverTest : public FeatureTest {
 protected:
  void ForgetHashes() {
    cluster_.CrashControllers();
    for (const json::value& set : Sets()) {
      Patch(At("machinesets", NameOf(set)), kNoHash);
      Patch(At("machinesets", NameOf(set)), kNoHashInSpec);
    }
    for (const json::value& machine : Machines()) Patch(At("machines", NameOf(machine)), kNoHash);
  }
  std::set<std::string> Uids() {
    std::set<std::string> uids;
    for (const json::value& machine : Machines()) uids.insert(TextAt(machine, "/metadata/uid"));
    return uids;
  }
  bool AllHashed() {
    for (const json::value& set : Sets()) {
      const std::string hash = LabelOf(set, kHash);
      if (hash.empty()) return false;
      for (const char* place : {"/spec/selector/matchLabels/machine-template-hash",
                                "/spec/template/metadata/labels/machine-template-hash"}) {
        if (TextAt(set, place) != hash) return false;
      }
    }
    for (const json::value& machine : Machines()) {
      if (LabelOf(machine, kHash).empty()) return false;
    }
    return true;
  }
};

TEST_F(TakeOverTest, SetsWithoutAHashGetOneAndKeepTheirMachines) {
  Begin(3);
  ASSERT_TRUE(UntilRunning(3));
  const auto before = Uids();
  ForgetHashes();
  cluster_.StartControllers();
  ASSERT_TRUE(cluster_.Until([&] { return AllHashed(); }, 1min)) << Dump();
  EXPECT_EQ(Uids(), before);
  EXPECT_EQ(Sets().size(), 1u);
  EXPECT_EQ(cluster_.cloud().live(), 3u);
  cluster_.Pass(1min);
  cluster_.ForgetWrites();
  cluster_.Pass(10min);
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front();
  Scale(4);
  ASSERT_TRUE(UntilRunning(4)) << Dump();
  EXPECT_EQ(Sets().size(), 1u);
}

// Also in the middle of a rollout, where two sets without one would both select everything.
TEST_F(TakeOverTest, InTheMiddleOfARolloutToo) {
  Begin(3);
  ASSERT_TRUE(UntilRunning(3));
  Patch(At("machinedeployments", "web"),
        R"({"spec": {"template": {"metadata": {"labels": {"v": "2"}}}}})");
  ASSERT_TRUE(cluster_.Until([&] { return Sets().size() == 2 && Machines().size() == 4; }, 1min));
  ForgetHashes();
  cluster_.StartControllers();
  ASSERT_TRUE(cluster_.Until(
      [&] {
        int current = 0;
        for (const json::value& machine : Machines()) current += LabelOf(machine, "v") == "2";
        return current == 3 && CountIn("Running") == 3 && Machines().size() == 3 && AllHashed();
      },
      10min))
      << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 3u);
}

}  // namespace
}  // namespace millwright::sim
