// A test with a real event loop and a real API server.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>

#include "base/log.h"
#include "base/random.h"
#include "base/system_clock.h"
#include "base/task_group.h"
#include "kube/connect/connection.h"
#include "tests/e2e/control_plane.h"

namespace millwright::e2e {

class RealServerTest : public testing::Test {
 protected:
  // Declared by a test after what its tasks use: when it goes, they have ended.
  class StopAtEnd {
   public:
    explicit StopAtEnd(RealServerTest& test) : test_(test) {}
    ~StopAtEnd() { test_.StopTasks(); }
    StopAtEnd(const StopAtEnd&) = delete;
    StopAtEnd& operator=(const StopAtEnd&) = delete;

   private:
    RealServerTest& test_;
  };

  void StopTasks();

  void SetUp() override;
  void TearDown() override;

  // Runs the loop until the condition holds. The limit is for a test that hangs; none may come near
  // it.
  void RunUntil(const std::function<bool()>& condition);

  // Runs a task to its end.
  template <class T>
  T Await(Task<T> task);

  std::unique_ptr<kube::Connection> Connect(const std::string& user);
  std::unique_ptr<kube::Connection> ConnectWith(const std::string& kubeconfig);

  // A namespace of this test's own.
  const std::string& name_space() const { return name_space_; }

  // Does make(0), make(1), ... make(count - 1), many of them at once.
  void ManyAtOnce(int count, const std::function<Task<void>(int)>& make);

  // Lets something that blocks (a command) run on another thread, and the loop go on meanwhile.
  void Meanwhile(const std::function<void()>& blocking);

  // Creates ConfigMaps c0, c1, ... with a label, many at once.
  void CreateConfigMaps(kube::Client& client, int count, const std::string& label);

  ControlPlane& plane() { return ControlPlane::Shared(); }

  boost::asio::io_context loop_{1};
  SystemClock clock_{loop_.get_executor()};
  SystemRandom random_;
  std::unique_ptr<LogSink> sink_;
  std::unique_ptr<Log> log_;
  std::string name_space_;
  TaskGroup tasks_{loop_.get_executor()};
};

template <class T>
T RealServerTest::Await(Task<T> task) {
  std::optional<T> outcome;
  boost::asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& error, T value) {
    if (error) std::rethrow_exception(error);
    outcome = std::move(value);
  });
  RunUntil([&] { return outcome.has_value(); });
  return *std::move(outcome);
}

}  // namespace millwright::e2e
