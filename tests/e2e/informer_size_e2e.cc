// The cache at the size of real clusters.
#include "tests/e2e/informer_fixture.h"

namespace millwright::e2e {
namespace {

using kube::JsonObject;
using kube::JsonValue;

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

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
  Patch(writer->client(), "c9999", "changed");
  RunUntil([&] { return Value(by_watch, "c9999") == "changed"; });
  RunUntil([&] { return Value(by_pages, "c9999") == "changed"; });
  EXPECT_EQ(by_watch.store().size(), 10'000u);
  EXPECT_EQ(Cached(by_watch), Cached(by_pages));
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

kube::ObjectKey NodeKey(int number) { return {"", "n" + std::to_string(number)}; }

Task<void> CreateNode(kube::Client& client, int number) {
  const kube::ObjectKey key = NodeKey(number);
  std::string body =
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + key.name + R"("}})";
  const auto created = co_await client.Create(kNodes, key, std::move(body));
  EXPECT_TRUE(created) << created.error().message();
}

Task<void> DeleteNode(kube::Client& client, int number) {
  const auto deleted = co_await client.Delete(kNodes, NodeKey(number));
  EXPECT_TRUE(deleted) << deleted.error().message();
}

TEST_F(InformerE2e, FollowsFiveThousandNodes) {
  auto writer = Connect("driver");
  auto reader = Connect("millwright");
  kube::Informer<NodeView> nodes(loop_.get_executor(), reader->client(), clock_, random_,
                                 log_->For("e2e"), {.resource = kNodes}, DecodeNode);
  int changes = 0;
  nodes.OnChange([&](const NodeView* before, const NodeView* after) {
    changes += before != nullptr && after != nullptr ? 1 : 0;
  });
  constexpr int kCount = 5000;
  constexpr int kListed = kCount / 2;
  const StopAtEnd stop(*this);
  ManyAtOnce(kListed, [&](int i) { return CreateNode(writer->client(), i); });
  tasks_.Spawn([&] { return nodes.Run(); });
  RunUntil([&] { return nodes.synced(); });
  EXPECT_EQ(nodes.store().size(), static_cast<std::size_t>(kListed));
  // The other half comes by the watch.
  ManyAtOnce(kCount - kListed, [&](int i) { return CreateNode(writer->client(), kListed + i); });
  RunUntil([&] { return nodes.store().size() == kCount; });
  const auto cordoned = Await(writer->client().Patch(kNodes, NodeKey(7), kube::PatchKind::kMerge,
                                                     R"({"spec":{"unschedulable":true}})"));
  ASSERT_TRUE(cordoned);
  RunUntil([&] { return nodes.store().Find(NodeKey(7))->unschedulable; });
  EXPECT_EQ(changes, 1);
  ManyAtOnce(kCount, [&](int i) { return DeleteNode(writer->client(), i); });
  RunUntil([&] { return nodes.store().size() == 0; });
  EXPECT_EQ(nodes.stats().lists, 1u);
}

}  // namespace
}  // namespace millwright::e2e
