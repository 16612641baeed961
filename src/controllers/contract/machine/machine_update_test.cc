#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

class FakeExtension final : public InPlacePort {
 public:
  std::size_t registered() const override { return count; }
  Task<Result<InPlaceUpdate>> Update(InPlaceObjects desired) override {
    ++calls;
    last = std::move(desired);
    co_return answer;
  }

  std::size_t count = 1;
  int calls = 0;
  InPlaceObjects last;
  InPlaceUpdate answer;
};

struct WithExtension {
  FakeExtension extension_;
};

Task<void> RunMachines(ContractParts parts) {
  MachineController machines(parts.surroundings, parts.caches, parts.externals, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await machines.Run();
}

Settings InPlace() {
  Settings settings;
  settings.in_place_updates = true;
  return settings;
}

class MachineUpdateTest : protected WithExtension, public ContractFixture {
 protected:
  explicit MachineUpdateTest(const Settings& settings = InPlace())
      : ContractFixture(RunMachines, settings, &extension_) {
    AddCluster();
  }

  static constexpr const char* kMark =
      "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
  static constexpr const char* kHooks = "runtime.cluster.x-k8s.io/pending-hooks";

  void Annotate(const std::string& path, const std::string& annotations) {
    Patch(path, fmt::format(R"({{"metadata":{{"annotations":{{{}}}}}}})", annotations));
  }
  void Begin() {
    AddRunningMachine();
    Annotate(fmt::format("{}/m", kDevMachine), fmt::format(R"("{}":"")", kMark));
    Annotate(fmt::format("{}/m", kDevConfig), fmt::format(R"("{}":"")", kMark));
    Annotate(fmt::format("{}/m", kMachine),
             fmt::format(R"("{}":"","{}":"Other,UpdateMachine")", kMark, kHooks));
    Pass(1s);
  }
  std::string Annotation(const Reply& object, const char* key) {
    const auto* all = kube::GetObject(object.body, "metadata.annotations");
    return all == nullptr || !all->contains(key) ? "-" : std::string(all->at(key).as_string());
  }
};

class GateOffTest : public MachineUpdateTest {
 protected:
  GateOffTest() : MachineUpdateTest(Settings{}) {}
};

TEST_F(GateOffTest, Capi_12_101_nothing_is_done_behind_a_closed_gate) {
  Begin();
  EXPECT_EQ(extension_.calls, 0);
}

TEST_F(MachineUpdateTest, Capi_12_101_a_hook_without_its_mark_is_cleaned_up) {
  AddRunningMachine();
  Annotate(fmt::format("{}/m", kDevMachine), fmt::format(R"("{}":"")", kMark));
  Annotate(fmt::format("{}/m", kMachine), fmt::format(R"("{}":"UpdateMachine")", kHooks));
  Pass(1s);
  EXPECT_EQ(Annotation(Get(fmt::format("{}/m", kDevMachine)), kMark), "-");
  EXPECT_EQ(Annotation(Machine(), kHooks), "-");
  EXPECT_EQ(extension_.calls, 0);
}

TEST_F(MachineUpdateTest, Capi_12_102_not_exactly_one_extension_is_an_error) {
  extension_.count = 2;
  Begin();
  EXPECT_EQ(extension_.calls, 0);
  EXPECT_TRUE(Shown(Machine(), "Updating").starts_with("True InPlaceUpdateFailed"))
      << Shown(Machine(), "Updating");
}

TEST_F(MachineUpdateTest, Capi_12_102_the_extension_says_when_to_ask_again) {
  extension_.answer = {.look_again = 30s, .message = "half"};
  Begin();
  EXPECT_EQ(extension_.calls, 1);
  EXPECT_EQ(Shown(Machine(), "Updating"),
            "True InPlaceUpdating: In-place update in progress: half");
  EXPECT_EQ(Machine().At("status.phase"), "Updating");
  EXPECT_EQ(kube::GetString(extension_.last.machine, "metadata.name"), "m");
  EXPECT_EQ(kube::Find(extension_.last.machine, "status"), nullptr);
  Annotate(fmt::format("{}/m", kMachine), R"("other":"x")");
  Pass(20s);
  EXPECT_EQ(extension_.calls, 1);
  EXPECT_EQ(Shown(Machine(), "Updating"),
            "True InPlaceUpdating: In-place update in progress: half");
  Pass(12s);
  EXPECT_EQ(extension_.calls, 2);
}

TEST_F(MachineUpdateTest, Capi_12_103_all_marks_go_when_it_is_done) {
  Begin();
  EXPECT_EQ(extension_.calls, 1);
  EXPECT_EQ(Annotation(Machine(), kMark), "-");
  EXPECT_EQ(Annotation(Machine(), kHooks), "Other");
  EXPECT_EQ(Annotation(Get(fmt::format("{}/m", kDevMachine)), kMark), "-");
  EXPECT_EQ(Annotation(Get(fmt::format("{}/m", kDevConfig)), kMark), "-");
  EXPECT_EQ(Shown(Machine(), "Updating"), "False NotUpdating");
}

}  // namespace
}  // namespace millwright::controllers::contract
