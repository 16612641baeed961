#include "net/retry.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace millwright::net {

namespace {

bool IsRepeatable(std::string_view method) { return method == "GET" || method == "HEAD"; }

bool SaysLater(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

Duration Backoff(int attempt, const RetryPolicy& policy) {
  const double delay = static_cast<double>(policy.first_delay.count()) *
                       std::pow(policy.factor, static_cast<double>(attempt - 1));
  const auto limit = static_cast<double>(policy.max_delay.count());
  return Duration(static_cast<Duration::rep>(std::min(delay, limit)));
}

AttemptOutcome OutcomeOf(const Result<HttpResponse>& result) {
  if (!result) return {.error = result.error().kind()};
  AttemptOutcome outcome{.status = result->status};
  const auto hint = result->headers.Find("Retry-After");
  if (hint) outcome.retry_after = std::string(*hint);
  return outcome;
}

}  // namespace

std::optional<Duration> ParseRetryAfter(std::string_view value, WallTime now) {
  using std::chrono::seconds;
  // A year is for ever here, and nanoseconds of more could overflow.
  constexpr seconds kLongest = std::chrono::hours(24 * 365);

  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size()) {
    if (number < 0) return std::nullopt;
    return std::min(seconds(number), kLongest);
  }
  const std::time_t date = curl_getdate(std::string(value).c_str(), nullptr);
  if (date == -1) return std::nullopt;
  const auto today = std::chrono::floor<seconds>(now.time_since_epoch());
  return std::clamp(seconds(date) - today, seconds::zero(), kLongest);
}

std::optional<Duration> RetryAfterOf(const Headers& headers) {
  const auto value = headers.Find("Retry-After");
  if (!value) return std::nullopt;
  const auto date = headers.Find("Date");
  const std::time_t now = date ? curl_getdate(std::string(*date).c_str(), nullptr) : -1;
  // Without a time to count from a date says nothing, and seconds need none.
  if (now == -1 && !std::ranges::all_of(*value, [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  return ParseRetryAfter(*value, WallTime(std::chrono::seconds(std::max<std::time_t>(now, 0))));
}

std::optional<Duration> PlanRetry(int attempt, std::string_view method,
                                  const AttemptOutcome& outcome, WallTime now,
                                  const RetryPolicy& policy) {
  if (attempt >= policy.max_attempts) return std::nullopt;
  if (outcome.error) {
    const bool again = IsRepeatable(method) && *outcome.error == ErrorKind::kUnavailable;
    if (!again) return std::nullopt;
    return Backoff(attempt, policy);
  }
  if (!SaysLater(outcome.status)) return std::nullopt;

  std::optional<Duration> hint;
  if (outcome.retry_after) hint = ParseRetryAfter(*outcome.retry_after, now);
  const bool turned_away = hint && (outcome.status == 429 || outcome.status == 503);
  if (!turned_away && !IsRepeatable(method)) return std::nullopt;
  if (hint && *hint > policy.max_retry_after) return std::nullopt;
  return std::max(hint.value_or(Duration::zero()), Backoff(attempt, policy));
}

Task<Result<HttpResponse>> RetryingHttp::Send(HttpRequest request) {
  const SteadyTime deadline = clock_.Elapsed() + policy_.deadline;
  for (int attempt = 1;; ++attempt) {
    Result<HttpResponse> result = co_await http_.Send(request);
    const auto delay = PlanRetry(attempt, request.method, OutcomeOf(result), clock_.Now(), policy_);
    if (!delay) co_return result;
    const SteadyTime next = clock_.Elapsed() + random_.Jitter(*delay, policy_.jitter);
    if (next > deadline) co_return result;
    result = Fail(ErrorKind::kCancelled, request.method + ": cancelled between two attempts");
    const Wake why = co_await SleepUntil(clock_, next);
    if (why == Wake::kCancelled) co_return result;
  }
}

}  // namespace millwright::net
