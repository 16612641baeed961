// The cache against a real server: size, restarts, compaction, a broken network between them.
#include "kube/informer/informer.h"

#include <boost/json.hpp>

#include "tests/e2e/fixture.h"
#include "tests/e2e/proxied.h"
#include "tests/sample/copier.h"

namespace millwright::e2e {
namespace {

using namespace std::chrono_literals;
using kube::JsonObject;
using kube::JsonValue;

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};
const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

using ConfigMaps = kube::Informer<sample::ConfigMap>;

class InformerE2e : public ProxiedTest {
 protected:
  ConfigMaps Make(kube::Client& client, kube::ReflectorOptions options = {}) {
    options.resource = kConfigMaps;
    options.namespace_ = name_space();
    return ConfigMaps(loop_.get_executor(), client, clock_, random_, log_->For("e2e"), options,
                      sample::DecodeConfigMap);
  }

  void Patch(kube::Client& client, const std::string& name, const std::string& value) {
    const auto patched =
        Await(client.Patch(kConfigMaps, {name_space(), name}, kube::PatchKind::kMerge,
                           R"({"data":{"k":")" + value + R"("}})"));
    ASSERT_TRUE(patched) << patched.error().message();
  }

  std::string Value(const ConfigMaps& informer, const std::string& name) const {
    const sample::ConfigMap* map = informer.store().Find({name_space_, name});
    return map == nullptr ? "" : map->data.at("k");
  }
};

TEST_F(InformerE2e, FollowsTenThousandConfigMaps) {
  auto writer = Connect("driver");
  auto reader = Connect("millwright");
  CreateConfigMaps(writer->client(), 10'000, "none");
  // Both ways of getting the state must agree.
  ConfigMaps by_watch = Make(reader->client());
  ConfigMaps by_pages = Make(reader->client(), {.watch_list = false});
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return by_watch.Run(); });
  tasks_.Spawn([&] { return by_pages.Run(); });
  RunUntil([&] { return by_watch.synced() && by_pages.synced(); });
  // kube-controller-manager puts one more (its root CA) into every namespace.
  EXPECT_GE(by_watch.store().size(), 10'000u);
  EXPECT_EQ(by_watch.store().size(), by_pages.store().size());
  Patch(writer->client(), "c9999", "changed");
  RunUntil([&] { return Value(by_watch, "c9999") == "changed"; });
  RunUntil([&] { return Value(by_pages, "c9999") == "changed"; });
}

struct NodeView {
  kube::Meta meta;
  bool unschedulable = false;

  friend bool operator==(const NodeView&, const NodeView&) = default;
};

Result<NodeView> DecodeNode(JsonObject object) {
  NodeView node;
  CHECK_OK(kube::ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return kube::ReadInto(value, node.meta);
    if (key != "spec") return {};
    return kube::ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      return name == "unschedulable" ? kube::ReadInto(field, node.unschedulable) : Result<void>();
    });
  }));
  return node;
}

Task<void> CreateNode(kube::Client& client, std::string name, int& left) {
  std::string body = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name + R"("}})";
  const auto created = co_await client.Create(kNodes, {"", name}, std::move(body));
  EXPECT_TRUE(created) << created.error().message();
  --left;
}

TEST_F(InformerE2e, FollowsFiveThousandNodes) {
  auto writer = Connect("driver");
  constexpr int kCount = 5000;
  int left = kCount;
  for (int i = 0; i < kCount; ++i) {
    tasks_.Spawn([&, i] { return CreateNode(writer->client(), "n" + std::to_string(i), left); });
    if (i % 100 == 99) RunUntil([&] { return left <= kCount - i + 20; });
  }
  RunUntil([&] { return left == 0; });
  auto reader = Connect("millwright");
  kube::Informer<NodeView> nodes(loop_.get_executor(), reader->client(), clock_, random_,
                                 log_->For("e2e"), {.resource = kNodes}, DecodeNode);
  int changes = 0;
  nodes.OnChange([&](const NodeView* before, const NodeView* after) {
    changes += before != nullptr && after != nullptr ? 1 : 0;
  });
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return nodes.Run(); });
  RunUntil([&] { return nodes.synced() && nodes.store().size() == kCount; });
  const auto cordoned = Await(writer->client().Patch(kNodes, {"", "n7"}, kube::PatchKind::kMerge,
                                                     R"({"spec":{"unschedulable":true}})"));
  ASSERT_TRUE(cordoned);
  RunUntil([&] { return nodes.store().Find({"", "n7"})->unschedulable; });
  EXPECT_EQ(changes, 1);
  const auto gone = Await(writer->client().DeleteCollection(kNodes, {}));
  EXPECT_TRUE(gone);
  RunUntil([&] { return nodes.store().size() == 0; });
}

TEST_F(InformerE2e, ResumesAfterTheServerWasKilled) {
  auto writer = Connect("driver");
  auto reader = Connect("millwright");
  CreateConfigMaps(writer->client(), 50, "none");
  ConfigMaps informer = Make(reader->client());
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  plane().KillApiserver();
  RunUntil([&] { return informer.stats().watches > 1; });
  plane().RestartApiserver();
  Patch(writer->client(), "c1", "after");
  RunUntil([&] { return Value(informer, "c1") == "after"; });
}

TEST_F(InformerE2e, ListsAnewWhenTheGapWasCompactedAndTellsOnlyDifferences) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 30, "none");
  auto& proxy = StartProxy("millwright");
  ConfigMaps informer = Make(proxied_client());
  int changes = 0;
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  // No watch gets through while the world changes behind its back.
  proxy.script().Add({.target_contains = "watch=true",
                      .times = -1,
                      .action = {.fault = faults::Fault::kError, .status = 503}});
  plane().KillApiserver();
  RunUntil([&] { return proxy.script().applied() > 0; });
  plane().RestartApiserver();
  Patch(writer->client(), "c3", "changed");
  ASSERT_TRUE(Await(writer->client().Delete(kConfigMaps, {name_space(), "c4"})));
  plane().KillApiserver();
  plane().Compact();
  plane().RestartApiserver();
  informer.OnChange([&](const sample::ConfigMap*, const sample::ConfigMap*) { ++changes; });
  const auto lists = informer.stats().lists;
  proxy.script().Clear();
  RunUntil([&] { return Value(informer, "c3") == "changed"; });
  RunUntil([&] { return informer.store().Find({name_space(), "c4"}) == nullptr; });
  EXPECT_GT(informer.stats().lists, lists);
  EXPECT_EQ(changes, 2);
}

TEST_F(InformerE2e, SurvivesCutFrozenAndRepeatingWatches) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 10, "none");
  auto& proxy = StartProxy("millwright");
  proxy.script().Add(
      {.target_contains = "watch=true", .action = {.fault = faults::Fault::kRepeat}});
  proxy.script().Add({.target_contains = "watch=true",
                      .times = 3,
                      .action = {.fault = faults::Fault::kCut, .pieces = 1}});
  proxy.script().Add(
      {.target_contains = "watch=true", .action = {.fault = faults::Fault::kFreeze, .pieces = 1}});
  ConfigMaps informer = Make(proxied_client(), {.stall_timeout = 500ms});
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  for (int i = 0; i < 20; ++i) {
    Patch(writer->client(), "c0", "round" + std::to_string(i));
    RunUntil([&] { return Value(informer, "c0") == "round" + std::to_string(i); });
  }
  EXPECT_EQ(informer.stats().lists, 1u);
  EXPECT_GE(informer.store().size(), 10u);
}

TEST_F(InformerE2e, AStaleListIsRefused) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 3, "none");
  auto& proxy = StartProxy("millwright");
  ConfigMaps informer = Make(proxied_client(), {.watch_list = false});
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  Patch(writer->client(), "c0", "new");
  RunUntil([&] { return Value(informer, "c0") == "new"; });
  // The next list is the first one again, then the truth.
  proxy.script().Add({.target_contains = "limit=500", .action = {.fault = faults::Fault::kStale}});
  proxy.script().Add(
      {.target_contains = "watch=true", .action = {.fault = faults::Fault::kError, .status = 410}});
  proxy.CutStreams();
  bool went_back = false;
  informer.OnChange([&](const sample::ConfigMap*, const sample::ConfigMap* after) {
    went_back = went_back ||
                (after != nullptr && after->data.at("k") == "v" && after->meta.key.name == "c0");
  });
  const auto lists = informer.stats().lists;
  RunUntil([&] { return informer.stats().lists >= lists + 2; });
  Patch(writer->client(), "c1", "newer");
  RunUntil([&] { return Value(informer, "c1") == "newer"; });
  EXPECT_FALSE(went_back);
  EXPECT_EQ(Value(informer, "c0"), "new");
}

}  // namespace
}  // namespace millwright::e2e
