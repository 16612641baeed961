// Results and errors: what every fallible function here returns.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace millwright {

// What the caller can do about a failure; a kind exists only because some caller acts on it.
enum class ErrorKind {
  kNotFound,       // the thing is not there
  kAlreadyExists,  // a thing of that name is there
  kConflict,       // somebody else changed it first: read again
  kExpired,        // the place we wanted to continue from is gone: list again
  kThrottled,      // come back after the hint
  kNoCapacity,     // another zone or size might work
  kUnavailable,  // the other side is down or unreachable; nothing was done, or it is safe to repeat
  kInDoubt,      // the answer was lost: it may or may not have been done; look before acting again
  kInvalid,      // the request itself is wrong; only a changed input helps
  kUnauthenticated,  // the other side does not know who we are
  kPermission,       // it knows us and refuses
  kCancelled,        // we were asked to stop
  kInternal,         // a bug, ours or theirs
};

std::string_view ToString(ErrorKind kind);

// Extra facts that a layer wants to carry with its errors (a Kubernetes Status, a cloud's code).
class ErrorDetail {
 public:
  virtual ~ErrorDetail() = default;
};

class Error {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }

  // How long the other side asked us to wait, if it did.
  std::optional<std::chrono::nanoseconds> retry_after() const { return retry_after_; }

  // The detail if there is one of that type, else null.
  template <class T>
  const T* detail() const {
    return dynamic_cast<const T*>(detail_.get());
  }

  Error&& WithRetryAfter(std::optional<std::chrono::nanoseconds> delay) && {
    retry_after_ = delay;
    return std::move(*this);
  }

  Error&& WithDetail(std::shared_ptr<const ErrorDetail> detail) && {
    detail_ = std::move(detail);
    return std::move(*this);
  }

  // Prefixes what we were doing, outermost first: "creating server: POST /servers: 503".
  Error&& Wrap(std::string_view doing) && {
    message_.insert(0, std::string(doing) + ": ");
    return std::move(*this);
  }

 private:
  ErrorKind kind_;
  std::string message_;
  std::optional<std::chrono::nanoseconds> retry_after_;
  std::shared_ptr<const ErrorDetail> detail_;
};

using Failure = std::unexpected<Error>;

inline Failure Fail(ErrorKind kind, std::string message) {
  return Failure(Error(kind, std::move(message)));
}

// A class and not an alias, so that a dropped result is a diagnostic.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

inline Result<void> Ok() { return {}; }

}  // namespace millwright

// TRY(auto node, Parse(text));                    keeps the value or returns the failure
// CO_TRY(auto node, co_await client.Get(key));    the same inside a coroutine
// CHECK_OK(Validate(x)); CO_CHECK(co_await client.Patch(key, patch));    when there is no value to
// keep
//
// Macros because only a macro can return from its caller.
#define MW_CONCAT_INNER(a, b) a##b
#define MW_CONCAT(a, b) MW_CONCAT_INNER(a, b)
#define MW_TRY_IMPL(tmp, ret, lhs, ...)                \
  auto tmp = (__VA_ARGS__);                            \
  if (!tmp) {                                          \
    ret ::millwright::Failure(std::move(tmp).error()); \
  }                                                    \
  lhs = *std::move(tmp)
#define MW_CHECK_IMPL(ret, ...)                             \
  do {                                                      \
    auto check_ = (__VA_ARGS__);                            \
    if (!check_) {                                          \
      ret ::millwright::Failure(std::move(check_).error()); \
    }                                                       \
  } while (false)
#define TRY(lhs, ...) MW_TRY_IMPL(MW_CONCAT(try_, __COUNTER__), return, lhs, __VA_ARGS__)
#define CO_TRY(lhs, ...) MW_TRY_IMPL(MW_CONCAT(try_, __COUNTER__), co_return, lhs, __VA_ARGS__)
#define CHECK_OK(...) MW_CHECK_IMPL(return, __VA_ARGS__)
#define CO_CHECK(...) MW_CHECK_IMPL(co_return, __VA_ARGS__)
