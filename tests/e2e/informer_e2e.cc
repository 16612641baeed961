// The cache through restarts, compaction and a broken network between it and a real server.
#include "tests/e2e/informer_fixture.h"

namespace millwright::e2e {
namespace {

using namespace std::chrono_literals;
using sample::ConfigMap;

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};

// Sets a value again and again, whatever happens to the server, until told to stop.
Task<void> KeepWriting(kube::Client& client, Clock& clock, kube::ObjectKey key, const bool& stop,
                       int& written) {
  while (!stop) {
    const std::string body = R"({"data":{"k":")" + std::to_string(written) + R"("}})";
    const auto patched = co_await client.Patch(kConfigMaps, key, kube::PatchKind::kMerge, body);
    if (patched) ++written;
    if (!patched) co_await SleepFor(clock, 50ms);
  }
}

TEST_F(InformerE2e, FollowsThroughAKilledServerDuringTraffic) {
  auto writer = Connect("driver");
  auto reader = Connect("millwright");
  CreateConfigMaps(writer->client(), 50, "none");
  ConfigMaps informer = Make(reader->client());
  int backwards = 0;
  informer.OnChange([&](const ConfigMap* before, const ConfigMap* after) {
    if (before == nullptr || after == nullptr) return;
    backwards +=
        CompareResourceVersions(after->meta.resource_version, before->meta.resource_version) !=
                std::partial_ordering::greater
            ? 1
            : 0;
  });
  bool stop_writing = false;
  int written = 0;
  TaskGroup writing(loop_.get_executor());
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  for (int i = 0; i < 8; ++i) {
    writing.Spawn([&, i] {
      return KeepWriting(writer->client(), clock_, {name_space(), "c" + std::to_string(i)},
                         stop_writing, written);
    });
  }
  for (int round = 1; round <= 2; ++round) {
    const int before = written;
    RunUntil([&] { return written > before + 20; });
    Meanwhile([&] { plane().KillApiserver(); });
    Meanwhile([&] { plane().RestartApiserver(); });
  }
  const int before = written;
  RunUntil([&] { return written > before + 20; });
  stop_writing = true;
  RunUntil([&] { return writing.size() == 0; });
  const auto truth = AtTheServer(reader->client());
  RunUntil([&] { return Cached(informer) == truth; });
  EXPECT_EQ(backwards, 0);
}

TEST_F(InformerE2e, ListsAnewWhenTheGapWasCompactedAndTellsOnlyDifferences) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 30, "none");
  auto& proxy = StartProxy("millwright");
  ConfigMaps informer = Make(proxied_client());
  int changes = 0;
  informer.OnChange([&](const ConfigMap*, const ConfigMap*) { ++changes; });
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  // No watch gets through while the world changes behind its back.
  proxy.script().Add({.target_contains = "watch=true",
                      .times = -1,
                      .action = {.fault = faults::Fault::kError, .status = 503}});
  proxy.CutStreams();
  RunUntil([&] { return proxy.script().applied() > 0; });
  Patch(writer->client(), "c3", "changed");
  ASSERT_TRUE(Await(writer->client().Delete(kConfigMaps, {name_space(), "c4"})));
  plane().KillApiserver();
  const bool compacted = plane().Compact();
  plane().RestartApiserver();
  if (!compacted) GTEST_SKIP() << "the embedded server keeps its history over a restart";
  const auto lists = informer.stats().lists;
  changes = 0;
  proxy.script().Clear();
  RunUntil([&] { return Value(informer, "c3") == "changed"; });
  RunUntil([&] { return informer.store().Find({name_space(), "c4"}) == nullptr; });
  EXPECT_GT(informer.stats().lists, lists);
  EXPECT_EQ(changes, 2);
}

TEST_F(InformerE2e, SurvivesRepeatingCutAndFrozenWatches) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 10, "none");
  auto& proxy = StartProxy("millwright");
  ConfigMaps informer = Make(proxied_client(), {.stall_timeout = 500ms});
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  const auto lists = informer.stats().lists;
  const std::vector<faults::FaultAction> actions{
      {.fault = faults::Fault::kRepeat},
      {.fault = faults::Fault::kCut, .pieces = 0},
      {.fault = faults::Fault::kCut, .pieces = 1},
      {.fault = faults::Fault::kFreeze, .pieces = 0},
      {.fault = faults::Fault::kFreeze, .pieces = 2},
  };
  int round = 0;
  for (const faults::FaultAction& action : actions) {
    // The next watch is the one that suffers.
    const int applied = proxy.script().applied();
    proxy.script().Add({.target_contains = "watch=true", .action = action});
    proxy.CutStreams();
    RunUntil([&] { return proxy.script().applied() > applied; });
    for (const int end = round + 5; round < end; ++round) {
      Patch(writer->client(), "c0", "round" + std::to_string(round));
      RunUntil([&] { return Value(informer, "c0") == "round" + std::to_string(round); });
    }
  }
  EXPECT_GE(informer.stats().stalls, 2u);
  EXPECT_EQ(informer.stats().lists, lists);
}

TEST_F(InformerE2e, AStaleListIsRefused) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 3, "none");
  auto& proxy = StartProxy("millwright");
  ConfigMaps informer = Make(proxied_client(), {.watch_list = false});
  std::vector<std::string> seen;  // what was told of c0 and c2
  informer.OnChange([&](const ConfigMap*, const ConfigMap* after) {
    if (after == nullptr) {
      seen.emplace_back("gone");
    } else if (after->meta.key.name == "c0" || after->meta.key.name == "c2") {
      seen.push_back(after->meta.key.name + "=" + after->data.at("k"));
    }
  });
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  Patch(writer->client(), "c0", "new");
  ASSERT_TRUE(Await(writer->client().Delete(kConfigMaps, {name_space(), "c2"})));
  RunUntil([&] { return !seen.empty() && seen.back() == "gone"; });
  seen.clear();
  // Two servers that lag behind: the next two lists are the first one again, then comes the truth.
  proxy.script().Add(
      {.target_contains = "limit=500", .times = 2, .action = {.fault = faults::Fault::kStale}});
  proxy.script().Add(
      {.target_contains = "watch=true", .action = {.fault = faults::Fault::kError, .status = 410}});
  proxy.CutStreams();
  const auto lists = informer.stats().lists;
  RunUntil([&] { return informer.stats().lists >= lists + 3; });
  Patch(writer->client(), "c1", "newer");
  RunUntil([&] { return Value(informer, "c1") == "newer"; });
  EXPECT_THAT(seen, testing::IsEmpty());
  EXPECT_EQ(Value(informer, "c0"), "new");
  EXPECT_EQ(proxy.script().applied(), 3);
}

TEST_F(InformerE2e, AServerThatAsksForPatienceGetsIt) {
  auto writer = Connect("driver");
  CreateConfigMaps(writer->client(), 3, "none");
  auto& proxy = StartProxy("millwright");
  for (const int status : {429, 503}) {
    proxy.script().Add(
        {.target_contains = "watch=true",
         .action = {.fault = faults::Fault::kError, .status = status, .retry_after_seconds = 1}});
  }
  ConfigMaps informer = Make(proxied_client());
  const StopAtEnd stop(*this);
  const SteadyTime began = clock_.Elapsed();
  tasks_.Spawn([&] { return informer.Run(); });
  RunUntil([&] { return informer.synced(); });
  EXPECT_GE(clock_.Elapsed() - began, 2s);
  EXPECT_EQ(proxy.script().applied(), 2);
}

}  // namespace
}  // namespace millwright::e2e
