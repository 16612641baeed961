// Kinds that a command follows together, and waits until any of them changed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/signal.h"
#include "base/task_group.h"
#include "cli/process.h"
#include "kube/informer/informer.h"

namespace millwright::cli {

class FollowedKinds {
 public:
  explicit FollowedKinds(Process process);

  // Before Run. What is seen of the kind lives as long as this.
  template <class Record>
  const kube::Store<Record>& Follow(kube::Client& client, kube::ReflectorOptions options,
                                    std::function<Result<Record>(kube::JsonObject)> decode) {
    auto informer = std::make_shared<kube::Informer<Record>>(
        process_.executor, client, process_.clock, process_.random, process_.log.For("watch"),
        std::move(options), std::move(decode));
    informer->OnChange([this](const Record*, const Record*) { Changed(); });
    kinds_.push_back({.run = [informer] { return informer->Run(); },
                      .wait_synced = [informer] { return informer->WaitSynced(); }});
    return informer->store();
  }

  // Runs until cancelled.
  Task<void> Run();
  // Until a whole state of all of them has been seen.
  Task<Wake> WaitSynced();
  // Until something changed since the last call, or the time is over.
  Task<Wake> WaitChanged(SteadyTime deadline);

 private:
  struct Kind {
    std::function<Task<void>()> run;
    std::function<Task<Wake>()> wait_synced;
  };

  void Changed();

  const Process process_;
  std::vector<Kind> kinds_;
  bool changed_ = false;
  Signal signal_;
  TaskGroup tasks_;
};

template <class Record>
std::vector<Record> CopyOf(const kube::Store<Record>& store) {
  std::vector<Record> copy;
  copy.reserve(store.size());
  for (const Record& record : store.objects()) copy.push_back(record);
  return copy;
}

}  // namespace millwright::cli
