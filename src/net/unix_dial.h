// Connects to a UNIX socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "net/byte_stream.h"

namespace millwright::net {

// What the kernel has room for.
inline constexpr std::size_t kLongestSocketPath = 107;

class UnixDial : public std::enable_shared_from_this<UnixDial> {
 public:
  // Errors have no prefix that says what was being done.
  using Done = std::function<void(Result<std::shared_ptr<UnixSocket>>)>;

  // `done` is called once and not from in here, unless cancelled before. No time limit: the kernel
  // answers at once.
  static std::shared_ptr<UnixDial> Start(const Executor& executor, const std::string& path,
                                         Done done);

  void Cancel();

 private:
  UnixDial(const Executor& executor, Done done);

  Done done_;  // empty once it is over
  std::shared_ptr<UnixSocket> socket_;
};

}  // namespace millwright::net
