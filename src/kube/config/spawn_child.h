// Starting a process and owning it: the part of child_process.h that does not wait.
#pragma once

#include <sys/types.h>

#include <utility>

#include "base/result.h"
#include "kube/config/child_process.h"

namespace millwright::kube {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// A child that is reaped for sure: whoever lets go of it while it runs kills it.
class Process {
 public:
  Process(pid_t pid, bool leads_group) : pid_(pid), leads_group_(leads_group) {}
  Process(Process&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)),
        leads_group_(other.leads_group_),
        exit_code_(other.exit_code_) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (!reaped()) KillAndReap();
  }

  bool reaped() const { return pid_ == 0; }
  int exit_code() const { return exit_code_; }

  // It has ended already.
  void Reap();
  void KillAndReap();

 private:
  pid_t pid_;
  const bool leads_group_;  // what it started is killed with it
  int exit_code_ = 0;
};

struct SpawnedChild {
  Process process;
  FileDescriptor exit;  // a pidfd: readable once the process has ended
  FileDescriptor out;
  FileDescriptor err;  // closed if it writes to ours
};

// kNotFound or kInvalid.
Result<SpawnedChild> SpawnChild(const ChildCommand& command);

}  // namespace millwright::kube
