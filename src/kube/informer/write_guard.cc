#include "kube/informer/write_guard.h"

namespace millwright::kube {

namespace {

// Versions that cannot be compared (not numbers) count as reached only when equal.
bool Reached(const ResourceVersion& seen, const ResourceVersion& expected) {
  if (seen == expected) return true;
  const auto order = CompareResourceVersions(seen, expected);
  return order == std::partial_ordering::greater || order == std::partial_ordering::equivalent;
}

}  // namespace

void WriteGuard::Expect(const ObjectKey& key, ResourceVersion version) {
  if (version.empty() || Reached(newest_, version)) return;
  ResourceVersion& expected = expected_[key];
  // The answers to two writes may come in the other order.
  if (!Reached(expected, version)) expected = std::move(version);
}

void WriteGuard::Seen(const ObjectKey& key, const ResourceVersion& version) {
  Advance(version);
  const auto it = expected_.find(key);
  if (it != expected_.end() && Reached(version, it->second)) expected_.erase(it);
}

void WriteGuard::SeenAll(const ResourceVersion& version) {
  Advance(version);
  std::erase_if(expected_, [this](const auto& entry) { return Reached(newest_, entry.second); });
}

void WriteGuard::Advance(const ResourceVersion& version) {
  if (CompareResourceVersions(version, newest_) != std::partial_ordering::less) newest_ = version;
}

bool WriteGuard::IsBehind(const ObjectKey& key) const {
  const auto it = expected_.find(key);
  return it != expected_.end() && !Reached(newest_, it->second);
}

}  // namespace millwright::kube
