#include "cli/preparing.h"

namespace millwright::cli {

namespace {

constexpr int kAttempts = 50;
constexpr Duration kBetween = std::chrono::milliseconds(100);

}  // namespace

Task<Result<void>> CreateOnce(kube::Client& client, kube::GroupVersionResource resource,
                              kube::ObjectKey key, std::string body) {
  const auto created = co_await client.Create(resource, key, std::move(body));
  const bool there = created || created.error().kind() == ErrorKind::kAlreadyExists;
  if (!there) co_return Failure(created.error());
  co_return Ok();
}

Task<Result<void>> PrepareInTime(Clock& clock, std::function<Task<Result<void>>()> prepare) {
  for (int attempt = 0;; ++attempt) {
    auto prepared = co_await prepare();
    const bool soon =
        !prepared && prepared.error().kind() == ErrorKind::kNotFound && attempt < kAttempts;
    if (!soon) co_return prepared;
    if (co_await SleepFor(clock, kBetween) == Wake::kCancelled) co_return Ok();
  }
}

}  // namespace millwright::cli
