// Writes against a real server: conflicts, ownership, lost answers, limits.
#include <boost/json.hpp>

#include "kube/api/status.h"
#include "net/retry.h"
#include "tests/e2e/proxied.h"
#include "tests/sample/copier.h"

namespace millwright::e2e {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};

class WritesE2e : public ProxiedTest {
 protected:
  std::string Body(const std::string& name, const std::string& value) const {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
           R"("},"data":{"k":")" + value + R"("}})";
  }

  kube::ObjectKey Key(const std::string& name) const { return {name_space_, name}; }
};

// Read, add one, write with the version that was read; again if somebody was faster.
Task<void> CountUp(kube::Client& client, kube::ObjectKey key, int times, int& conflicts) {
  while (times > 0) {
    const auto read = co_await client.Get(kConfigMaps, key);
    EXPECT_TRUE(read) << read.error().message();
    json::value tree = *read->Tree();
    json::value& number = tree.at("data").at("k");
    number = std::to_string(std::stoi(std::string(number.as_string())) + 1);
    const auto written = co_await client.Update(kConfigMaps, key, json::serialize(tree));
    if (written) {
      --times;
    } else {
      EXPECT_EQ(written.error().kind(), ErrorKind::kConflict) << written.error().message();
      ++conflicts;
    }
  }
}

TEST_F(WritesE2e, AConflictStormLosesNoUpdate) {
  auto first = Connect("writer");
  auto second = Connect("millwright");
  ASSERT_TRUE(Await(first->client().Create(kConfigMaps, Key("counter"), Body("counter", "0"))));
  int conflicts = 0;
  for (kube::Client* client : {&first->client(), &second->client()}) {
    for (int i = 0; i < 4; ++i) {
      tasks_.Spawn([&, client] { return CountUp(*client, Key("counter"), 10, conflicts); });
    }
  }
  RunUntil([&] { return tasks_.size() == 0; });
  const auto end = Await(first->client().Get(kConfigMaps, Key("counter")));
  EXPECT_EQ(end->Tree()->at("data").at("k").as_string(), "80");
  EXPECT_GT(conflicts, 0);
}

TEST_F(WritesE2e, ApplyConflictsNameTheOwnerAndForceTakesOver) {
  auto connection = Connect("millwright");
  kube::Client& client = connection->client();
  ASSERT_TRUE(Await(client.Apply(kConfigMaps, Key("owned"), Body("owned", "ours"),
                                 {.write = {.field_manager = "first"}})));
  const auto refused = Await(client.Apply(kConfigMaps, Key("owned"), Body("owned", "theirs"),
                                          {.write = {.field_manager = "second"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kConflict);
  const auto* detail = refused.error().detail<kube::StatusDetail>();
  ASSERT_NE(detail, nullptr);
  ASSERT_EQ(detail->status().details.causes.size(), 1u);
  EXPECT_EQ(detail->status().details.causes[0].field, ".data.k");
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("first"));
  ASSERT_TRUE(Await(client.Apply(kConfigMaps, Key("owned"), Body("owned", "theirs"),
                                 {.write = {.field_manager = "second"}, .force = true})));
}

TEST_F(WritesE2e, ALostAnswerIsADoubtAndNotAFailure) {
  StartProxy("millwright")
      .script()
      .Add({.method = "POST", .action = {.fault = faults::Fault::kLoseAnswer}});
  const auto lost = Await(proxied_client().Create(kConfigMaps, Key("lost"), Body("lost", "1")));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind(), ErrorKind::kInDoubt) << lost.error().message();
  const auto found = Await(proxied_client().Find(kConfigMaps, Key("lost")));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->has_value());
}

TEST_F(WritesE2e, ServersThatAskForPatienceGetIt) {
  auto& proxy = StartProxy("millwright");
  for (const int status : {429, 503}) {
    proxy.script().Add(
        {.method = "POST",
         .action = {.fault = faults::Fault::kError, .status = status, .retry_after_seconds = 1}});
  }
  net::RetryingHttp patient(proxied_http(), clock_, random_, {});
  kube::Client client(patient, "e2e");
  const SteadyTime began = clock_.Elapsed();
  const auto created = Await(client.Create(kConfigMaps, Key("patient"), Body("patient", "1")));
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_GE(clock_.Elapsed() - began, 2s);
  EXPECT_EQ(proxy.script().applied(), 2);
}

TEST_F(WritesE2e, DryRunPreconditionsAndSubresources) {
  auto connection = Connect("millwright");
  kube::Client& client = connection->client();
  ASSERT_TRUE(Await(client.Create(kConfigMaps, Key("dry"), Body("dry", "1"), {.dry_run = true})));
  EXPECT_FALSE(Await(client.Find(kConfigMaps, Key("dry")))->has_value());
  const auto made = Await(client.Create(kConfigMaps, Key("wet"), Body("wet", "1")));
  const auto wrong = Await(client.Delete(kConfigMaps, Key("wet"), {.uid = Uid("not-this-one")}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind(), ErrorKind::kConflict);
  EXPECT_TRUE(Await(client.Delete(kConfigMaps, Key("wet"), {.uid = made->ReadMeta()->uid})));
  EXPECT_TRUE(Await(client.Delete(kConfigMaps, Key("wet"))));
  const auto no_kind = Await(client.Find({"no.such.group", "v1", "things"}, Key("x")));
  ASSERT_FALSE(no_kind);
  EXPECT_TRUE(kube::IsMissingResourceType(no_kind.error()));
}

// The sample controller, through everything at once.
TEST_F(WritesE2e, TheSampleControllerConvergesThroughRestartsAndRests) {
  auto writer = Connect("driver");
  auto ours = Connect("millwright");
  CreateConfigMaps(writer->client(), 100, "wanted");
  sample::Copier copier(loop_.get_executor(), ours->client(), clock_, random_, *log_, name_space());
  const auto copies = [&] {
    int count = 0;
    for (const auto& map : copier.informer().store().objects()) {
      count += map.meta.key.name.ends_with("-copy") ? 1 : 0;
    }
    return count;
  };
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return copier.Run(); });
  RunUntil([&] { return copies() > 10; });
  plane().KillApiserver();
  plane().RestartApiserver();
  RunUntil([&] { return copies() == 100; });
  const int writes = copier.writes();
  // At rest: a change of something else must not make it write.
  ASSERT_TRUE(Await(writer->client().Create(kConfigMaps, Key("other"), Body("other", "1"))));
  RunUntil([&] { return copier.informer().store().Find(Key("other")) != nullptr; });
  EXPECT_EQ(copier.writes(), writes);
  // Its copies are put right.
  ASSERT_TRUE(Await(writer->client().Patch(kConfigMaps, Key("c5-copy"), kube::PatchKind::kMerge,
                                           R"({"data":{"k":"meddled"}})")));
  RunUntil([&] {
    const auto* copy = copier.informer().store().Find(Key("c5-copy"));
    return copier.writes() > writes && copy != nullptr && copy->data.at("k") == "v";
  });
  // They go with their originals. That is the garbage collector's work, which after a restart may
  // rest for a minute, so only what it goes by is looked at.
  const auto original = Await(writer->client().Get(kConfigMaps, Key("c6")));
  const auto copy = Await(writer->client().Get(kConfigMaps, Key("c6-copy")));
  ASSERT_TRUE(original && copy);
  EXPECT_EQ(copy->Tree()->at_pointer("/metadata/ownerReferences/0/uid"),
            original->Tree()->at_pointer("/metadata/uid"));
}

// Two leaders at once are one too many, and must do no harm.
TEST_F(WritesE2e, TwoSampleControllersAtOnceAgreeAndRest) {
  auto writer = Connect("driver");
  auto ours = Connect("millwright");
  auto theirs = Connect("writer");
  sample::Copier first(loop_.get_executor(), ours->client(), clock_, random_, *log_, name_space());
  sample::Copier second(loop_.get_executor(), theirs->client(), clock_, random_, *log_,
                        name_space());
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return first.Run(); });
  tasks_.Spawn([&] { return second.Run(); });
  CreateConfigMaps(writer->client(), 100, "wanted");
  const auto has_all = [&](sample::Copier& copier) {
    for (int i = 0; i < 100; ++i) {
      const std::string name = "c" + std::to_string(i) + "-copy";
      if (copier.informer().store().Find(Key(name)) == nullptr) return false;
    }
    return true;
  };
  RunUntil([&] { return has_all(first) && has_all(second); });
  // A marker that both have seen comes after whatever either of them did.
  ASSERT_TRUE(Await(writer->client().Create(kConfigMaps, Key("marker"), Body("marker", "1"))));
  const auto both_saw = [&](const std::string& name) {
    return first.informer().store().Find(Key(name)) != nullptr &&
           second.informer().store().Find(Key(name)) != nullptr;
  };
  RunUntil([&] { return both_saw("marker"); });
  const int writes = first.writes() + second.writes();
  EXPECT_LE(writes, 200);
  ASSERT_TRUE(Await(writer->client().Create(kConfigMaps, Key("later"), Body("later", "1"))));
  RunUntil([&] { return both_saw("later"); });
  EXPECT_EQ(first.writes() + second.writes(), writes);
}

}  // namespace
}  // namespace millwright::e2e
