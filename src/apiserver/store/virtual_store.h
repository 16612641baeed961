// For tests: a store in a simulated process, on a disk that survives it.
#pragma once

#include <boost/asio/co_spawn.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/store/simulated_disk.h"
#include "apiserver/store/store.h"
#include "base/virtual/world.h"

namespace millwright::apiserver {

// Destroying it is a crash, whatever is under way.
class VirtualStore {
 public:
  explicit VirtualStore(VirtualWorld& world, Platter& platter, SimulatedDisk::Script script = {},
                        HistoryLimits limits = {})
      : process_(world), clock_(process_) {
    boost::asio::co_spawn(process_.executor(), Main(*this, platter, std::move(script), limits),
                          [](const std::exception_ptr&) {});
    world.RunUntil([this] { return inside_ != nullptr; });
  }

  Store& operator*() { return *inside_->store; }
  Store* operator->() { return inside_->store.get(); }
  VirtualProcess& process() { return process_; }
  VirtualClock& clock() { return clock_; }
  TaskGroup& tasks() { return inside_->tasks; }
  std::uint64_t commits() const { return inside_->disk.commits(); }

  // Each runs until it is answered.
  Result<Change> Create(std::string key, std::string value) {
    return *RunTask(process_, (*this)->Create(std::move(key), Fixed(std::move(value))));
  }
  Result<Change> Update(std::string key, std::optional<Revision> expected, std::string value) {
    return *RunTask(process_, (*this)->Update(std::move(key), expected, Fixed(std::move(value))));
  }
  Result<Change> Delete(std::string key, std::optional<Revision> expected = {}) {
    return *RunTask(process_, (*this)->Delete(std::move(key), expected));
  }
  Result<void> Compact(Revision revision) { return *RunTask(process_, (*this)->Compact(revision)); }

 private:
  struct Inside {
    SimulatedDisk disk;
    std::unique_ptr<Store> store;
    TaskGroup tasks;
  };

  // The root frame owns all that the process is made of, so that a crash takes it along.
  static Task<void> Main(VirtualStore& self, Platter& platter, SimulatedDisk::Script script,
                         HistoryLimits limits) {
    Inside inside{.disk = SimulatedDisk(platter, self.clock_, std::move(script)),
                  .store = nullptr,
                  .tasks = TaskGroup(self.process_.executor())};
    inside.store = Store::Open(self.process_.executor(), self.clock_, inside.disk, limits).value();
    self.inside_ = &inside;
    co_await UntilCancelled();
  }

  VirtualProcess process_;
  VirtualClock clock_;
  Inside* inside_ = nullptr;
};

inline std::string Describe(const Change& change) {
  const char* const kinds[] = {"create ", "update ", "delete "};
  return kinds[static_cast<int>(change.kind())] + change.key() + " " +
         std::to_string(change.revision());
}

// "create /a 2", or the kind of error.
inline std::string Describe(const Result<Change>& outcome) {
  return outcome ? Describe(*outcome) : std::string(ToString(outcome.error().kind()));
}

// All that a watcher has to tell now; the kind of error at the end, if it fell behind.
inline std::vector<std::string> ReadAll(Watcher& watcher) {
  std::vector<std::string> events;
  while (true) {
    const auto next = watcher.TryNext();
    if (!next) events.emplace_back(ToString(next.error().kind()));
    if (!next || !*next) return events;
    events.push_back(Describe(**next));
  }
}

}  // namespace millwright::apiserver
