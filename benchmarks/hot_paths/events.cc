// From the bytes of a watch to the cache's verdict and, where something changed, a key in the
// queue.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/virtual/world.h"
#include "benchmarks/hot_paths/hot_path.h"
#include "benchmarks/hot_paths/samples.h"
#include "benchmarks/sample_node.h"
#include "dialects/capi/read.h"
#include "dialects/gardener/gardener.h"
#include "dialects/node_record.h"
#include "kube/informer/store.h"
#include "kube/watch/event.h"
#include "kube/watch/line_buffer.h"
#include "kube/workqueue/queue.h"

namespace millwright::benchmarks {

namespace {

// One kind's cache as the informer keeps it, fed line by line.
template <class Record>
class Feed {
 public:
  template <class Decode>
  void Take(const std::string& line, const Decode& decode) {
    static_cast<void>(lines_.Append(line));
    while (const auto event = lines_.Next()) {
      const auto read =
          parser_.Parse(*event, [&](kube::EventType, kube::JsonObject object) -> Result<void> {
            TRY(Record record, decode(object));
            Show(std::move(record));
            return {};
          });
      if (!read) Broken(read.error().message());
    }
  }

  kube::Store<Record>& store() { return store_; }
  int changes() const { return changes_; }

 private:
  void Show(Record after) {
    const kube::ObjectKey key = after.meta.key;
    const Record* known = store_.Find(key);
    if (known != nullptr) {
      auto version = std::exchange(after.meta.resource_version, known->meta.resource_version);
      const bool same = *known == after;
      after.meta.resource_version = std::move(version);
      if (same) return store_.Touch(key, after.meta.resource_version);
    }
    ++changes_;
    store_.Put(std::move(after));
  }

  kube::LineBuffer lines_;
  kube::EventParser parser_;
  kube::Store<Record> store_;
  int changes_ = 0;
};

std::string Modified(const std::string& object) {
  return R"({"type":"MODIFIED","object":)" + object + "}\n";
}

// Two events that differ in something that is looked at, one after the other in a cache of many.
template <class Record, class Decode>
std::function<void()> Alternate(std::shared_ptr<Feed<Record>> feed, Decode decode,
                                std::string (*sample)(int, bool)) {
  for (int i = 0; i < kMany; ++i) feed->Take(Modified(sample(i, true)), decode);
  return [feed, decode, lines = std::pair(Modified(sample(7, false)), Modified(sample(7, true))),
          turn = false, seen = feed->changes()]() mutable {
    turn = !turn;
    feed->Take(turn ? lines.first : lines.second, decode);
    if (feed->changes() != ++seen) Broken("the event changed nothing");
  };
}

}  // namespace

HotPath NodeReport() {
  return {"node_report", [] {
            auto feed = std::make_shared<Feed<dialects::NodeRecord>>();
            auto texts = std::make_shared<kube::TextPool>();
            const auto read = [texts, reader = std::make_shared<dialects::NodeReader>(*texts)](
                                  kube::JsonObject node) { return reader->Read(node); };
            for (int i = 0; i < kMany; ++i) feed->Take(Modified(SampleNode(i)), read);
            return [feed, read, line = Modified(SampleNode(7)), seen = feed->changes()] {
              feed->Take(line, read);
              if (feed->changes() != seen) Broken("a report that says nothing new is a change");
            };
          }};
}

// With the indexes that controllers/shared/caches.h has, and the way into the set's queue and out
// of it.
HotPath GardenerMachineEvent() {
  return {"gardener_machine_event", [] {
            using dialects::MachineRecord;
            auto dialect = std::make_shared<dialects::gardener::GardenerDialect>();
            auto feed = std::make_shared<Feed<MachineRecord>>();
            feed->store().AddIndex([](const MachineRecord& machine, auto& keys) {
              keys.push_back(machine.owner ? Text(machine.owner->uid.str()) : Text());
            });
            feed->store().AddIndex(
                [](const MachineRecord& machine, auto& keys) { keys.push_back(machine.node); });
            feed->store().AddIndex([](const MachineRecord& machine, auto& keys) {
              keys.push_back(machine.class_name);
            });
            return Alternate(
                feed, [dialect](kube::JsonObject object) { return dialect->ReadMachine(object); },
                &SampleGardenerMachine);
          }};
}

HotPath CapiMachineEvent() {
  return {"capi_machine_event", [] {
            using dialects::capi::MachineRecord;
            auto reader = std::make_shared<dialects::capi::Reader>();
            return Alternate(
                std::make_shared<Feed<MachineRecord>>(),
                [reader](kube::JsonObject object) { return reader->Machine(object); },
                &SampleCapiMachine);
          }};
}

HotPath QueueRound() {
  struct Inside {
    VirtualWorld world;
    VirtualProcess process{world};
    VirtualClock clock{process};
    kube::WorkQueue<kube::ObjectKey> queue{process.executor(), clock};
    int next = 0;
  };
  return {
      "queue_round", [] {
        auto inside = std::make_shared<Inside>();
        for (int i = 0; i < kMany; ++i) {
          inside->queue.AddAfter({"shoot", fmt::format("machine-{:06}", i)}, std::chrono::hours(1));
        }
        return [inside] {
          const kube::ObjectKey key{"shoot", fmt::format("machine-{:06}", inside->next++ % kMany)};
          inside->queue.Add(key);
          const auto popped = RunTask(inside->process, inside->queue.Pop());
          if (!popped || **popped != key) Broken("another key came out of the queue");
          inside->queue.AddAfter(key, std::chrono::hours(1));
          inside->queue.Done(key);
        };
      }};
}

}  // namespace millwright::benchmarks
