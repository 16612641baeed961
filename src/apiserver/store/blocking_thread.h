// A thread for calls that block, seen from coroutines.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/task.h"
#include "base/wait.h"

namespace millwright::apiserver {

// Runs one job after the other. Must go before the context whose coroutines use it, and when none
// of them waits any more.
class BlockingThread {
 public:
  // Runs the job there and resumes the caller here with what it returned. Cannot be cancelled. The
  // job must not throw.
  template <class T>
  Task<T> Run(std::move_only_function<T()> job);

 private:
  boost::asio::thread_pool thread_{1};
};

template <class T>
Task<T> BlockingThread::Run(std::move_only_function<T()> job) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  const auto answer = std::make_shared<std::optional<T>>();
  co_await SuspendThrough([&](WaitTable& table, WaitId wait) {
    boost::asio::post(thread_, [job = std::move(job), answer, executor, &table, wait]() mutable {
      *answer = job();
      // What the job holds is let go here and not after the caller has gone on.
      job = nullptr;
      boost::asio::post(executor, [&table, wait] { table.Complete(wait, Wake::kDone); });
    });
  });
  co_return *std::move(*answer);
}

}  // namespace millwright::apiserver
