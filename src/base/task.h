// The coroutine type. A function that waits returns Task<...>; one that does not is not a
// coroutine.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace millwright {

template <class T>
using Task = boost::asio::awaitable<T>;

using Executor = boost::asio::any_io_executor;

}  // namespace millwright
