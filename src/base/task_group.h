// Owns background tasks: starts them, cancels them, waits for them. There is no detached work.
#pragma once

#include <functional>
#include <memory>

#include "base/task.h"
#include "base/wait.h"

namespace millwright {

// The last member of its class, so that its tasks may use every member declared above it. Its owner
// awaits Join() before it goes away. An exception that escapes a task is a bug and leaves run().
class TaskGroup {
 public:
  explicit TaskGroup(Executor executor);
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // `make_task` is an ordinary function that returns the task: group.Spawn([this] { return Run();
  // }). In a group that was cancelled, it is not called.
  void Spawn(std::move_only_function<Task<void>()> make_task);

  // Asks every task to stop; those spawned later end at once.
  void Cancel();

  // Waits for all tasks, even if the caller is itself cancelled.
  Task<void> Join();

  std::size_t size() const;

 private:
  struct State;
  struct Child;

  static Task<void> Run(std::shared_ptr<State> state, Child* child,
                        std::move_only_function<Task<void>()> make_task);

  Executor executor_;
  // Shared with the children: when a simulated process crashes, frames go in any order.
  std::shared_ptr<State> state_;
};

// Waits until the calling task is cancelled: the body of a task whose children do the work.
Task<void> UntilCancelled();

}  // namespace millwright
