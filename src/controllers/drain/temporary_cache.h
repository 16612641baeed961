// A cache that is begun and ended while its owner goes on.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/signal.h"
#include "base/task_group.h"
#include "controllers/drain/parts.h"
#include "kube/informer/informer.h"

namespace millwright::controllers {

template <kube::Projection T>
class TemporaryCache {
 public:
  struct Listeners {
    kube::Informer<T>::Handler changed;
    std::function<void()> synced;  // once, unless somebody waited for it
  };

  // The parts' client must not be null. Changes are told once the first state is complete. Nobody
  // is told anything after Stop.
  TemporaryCache(const DrainParts& parts, kube::ReflectorOptions options,
                 kube::Informer<T>::Decode decode, Listeners listeners)
      : executor_(parts.executor),
        clock_(parts.clock),
        listeners_(std::move(listeners)),
        informer_(parts.executor, *parts.target, parts.clock, parts.random,
                  parts.log.For("controllers.drain"), std::move(options), std::move(decode)),
        synced_(parts.executor),
        stop_(parts.executor) {
    informer_.OnChange([this](const T* before, const T* after) {
      if (!stopped_ && informer_.synced()) listeners_.changed(before, after);
    });
  }

  // Until stopped or cancelled. The task keeps the cache alive: whoever stops it need not wait.
  static Task<void> Run(std::shared_ptr<TemporaryCache> self) {
    TaskGroup tasks(self->executor_);
    tasks.Spawn([&self] { return self->informer_.Run(); });
    tasks.Spawn([&self] { return self->TellSynced(); });
    while (!self->stopped_) {
      if (co_await self->stop_.Wait() == Wake::kCancelled) break;
    }
    tasks.Cancel();
    co_await tasks.Join();
  }

  void Stop() {
    stopped_ = true;
    stop_.NotifyAll();
  }

  const kube::Store<T>& store() const { return informer_.store(); }
  bool synced() const { return informer_.synced(); }

  Task<Wake> WaitSynced(SteadyTime deadline) {
    Wake why = Wake::kDone;
    ++waiting_;
    while (!informer_.synced() && why == Wake::kDone) {
      why = co_await synced_.WaitUntil(clock_, deadline);
    }
    --waiting_;
    co_return informer_.synced() && why != Wake::kCancelled ? Wake::kDone : why;
  }

 private:
  Task<void> TellSynced() {
    if (co_await informer_.WaitSynced() == Wake::kCancelled) co_return;
    synced_.NotifyAll();
    if (!stopped_ && waiting_ == 0 && listeners_.synced) listeners_.synced();
  }

  const Executor executor_;
  Clock& clock_;
  const Listeners listeners_;
  kube::Informer<T> informer_;
  bool stopped_ = false;
  int waiting_ = 0;
  Signal synced_;
  Signal stop_;
};

}  // namespace millwright::controllers
