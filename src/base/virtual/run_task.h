// The body of RunTask; see world.h.
#pragma once

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <optional>

#include "base/virtual/world.h"

namespace millwright {

template <class T>
std::optional<T> RunTask(VirtualProcess& process, Task<T> task) {
  auto outcome = std::make_shared<std::optional<T>>();
  auto failure = std::make_shared<std::exception_ptr>();
  boost::asio::co_spawn(process.executor(), std::move(task),
                        [outcome, failure](std::exception_ptr error, T value) {
                          if (error) {
                            *failure = error;
                          } else {
                            *outcome = std::move(value);
                          }
                        });
  process.world().RunUntil([&] { return outcome->has_value() || *failure != nullptr; });
  if (*failure) std::rethrow_exception(*failure);
  return std::move(*outcome);
}

}  // namespace millwright
