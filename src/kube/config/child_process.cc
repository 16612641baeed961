#include "kube/config/child_process.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/signal.h"
#include "base/task_group.h"
#include "kube/config/spawn_child.h"

namespace millwright::kube {

namespace asio = boost::asio;

namespace {

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

constexpr std::size_t kMaxOut = std::size_t{1} << 20;
constexpr std::size_t kMaxErr = std::size_t{4} << 10;

// One end of a pipe, and what came through it so far.
class Collector {
 public:
  Collector(const Executor& executor, FileDescriptor fd, std::size_t limit)
      : pipe_(executor), limit_(limit) {
    if (fd.is_open()) pipe_.assign(fd.Release());
  }

  // Reads until the end or until cancelled.
  Task<void> Collect() {
    std::array<char, 4096> buffer;
    while (pipe_.is_open()) {
      const auto [error, size] =
          co_await pipe_.async_read_some(asio::buffer(buffer), asio::as_tuple(asio::use_awaitable));
      Add(buffer.data(), size);
      const bool cancelled = co_await IsCancelled();
      if (error || cancelled) co_return;
    }
  }

  // Takes what is in the pipe now. Only while nobody collects.
  void TakeRest() {
    std::array<char, 4096> buffer;
    while (pipe_.is_open()) {
      pollfd ready{.fd = pipe_.native_handle(), .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, 0) <= 0) return;
      const ssize_t size = ::read(pipe_.native_handle(), buffer.data(), buffer.size());
      if (size <= 0) return;
      Add(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  bool overflowed() const { return overflowed_; }
  std::string Take() { return std::move(text_); }

 private:
  void Add(const char* bytes, std::size_t size) {
    const std::size_t kept = std::min(size, limit_ - text_.size());
    text_.append(bytes, kept);
    overflowed_ |= kept < size;
  }

  asio::posix::stream_descriptor pipe_;
  const std::size_t limit_;
  std::string text_;
  bool overflowed_ = false;
};

class Child {
 public:
  Child(const Executor& executor, SpawnedChild spawned)
      : process_(std::move(spawned.process)),
        exit_(executor),
        out_(executor, std::move(spawned.out), kMaxOut),
        err_(executor, std::move(spawned.err), kMaxErr),
        exited_(executor),
        readers_(executor) {
    exit_.assign(spawned.exit.Release());
    readers_.Spawn([this] { return out_.Collect(); });
    readers_.Spawn([this] { return err_.Collect(); });
    readers_.Spawn([this] { return AwaitExit(); });
  }

  // kDone once it has ended by itself; otherwise why it was killed.
  Task<Wake> Wait(Clock& clock, SteadyTime deadline) {
    Wake why = Wake::kDone;
    while (!process_.reaped() && why == Wake::kDone) {
      why = co_await exited_.WaitUntil(clock, deadline);
    }
    if (process_.reaped()) {
      why = Wake::kDone;  // just in time
    } else {
      process_.KillAndReap();
    }
    readers_.Cancel();
    co_await readers_.Join();
    co_return why;
  }

  Result<ChildResult> TakeResult() {
    out_.TakeRest();
    err_.TakeRest();
    ChildResult result{.exit_code = process_.exit_code(), .out = SecretText(out_.Take())};
    result.err = err_.Take();
    if (out_.overflowed()) return Fail(ErrorKind::kInvalid, "it printed more than a megabyte");
    return result;
  }

 private:
  Task<void> AwaitExit() {
    const auto [error] =
        co_await exit_.async_wait(asio::posix::stream_descriptor::wait_read, kAsTuple);
    if (!error) process_.Reap();
    exited_.NotifyAll();
  }

  Process process_;
  asio::posix::stream_descriptor exit_;  // readable once it has ended
  Collector out_;
  Collector err_;
  Signal exited_;
  TaskGroup readers_;
};

}  // namespace

Task<Result<ChildResult>> RunChild(Clock& clock, ChildCommand command) {
  const Executor executor = co_await asio::this_coro::executor;
  CO_TRY(SpawnedChild spawned, SpawnChild(command));
  const SteadyTime deadline = clock.Elapsed() + command.timeout;
  Child child(executor, std::move(spawned));
  const Wake why = co_await child.Wait(clock, deadline);
  if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "stopped while it ran");
  if (why == Wake::kTimeout) {
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("it did not end within {}", FormatDuration(command.timeout)));
  }
  co_return child.TakeResult();
}

}  // namespace millwright::kube
