#include "apiserver/housekeeping/expiry.h"

#include <algorithm>

#include <boost/json.hpp>

#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kController = "millwright-expiry";
constexpr std::string_view kEvents = "/core/events/";
constexpr std::string_view kTokens = "/core/secrets/kube-system/";
constexpr std::string_view kRequests = "/certificates.k8s.io/certificatesigningrequests/";
constexpr std::string_view kScopes[] = {kEvents, kTokens, kRequests};

// As the real components': --event-ttl, and the cleaner of requests for certificates.
constexpr Duration kEventLife = std::chrono::hours(1);
constexpr Duration kDecidedLife = std::chrono::hours(1);
constexpr Duration kPendingLife = std::chrono::hours(24);

constexpr Duration kRetry = std::chrono::minutes(1);
// So far ahead nobody needs to look; and a clock that is set is noticed.
constexpr Duration kFarthest = std::chrono::hours(1);

bool IsOurs(std::string_view key) {
  return std::ranges::any_of(kScopes, [&](auto scope) { return key.starts_with(scope); });
}

std::optional<WallTime> TimeAt(const json::value& object, std::string_view path) {
  const auto time = ParseTime(kube::GetString(object, path));
  return time ? std::optional(*time) : std::nullopt;
}

std::optional<WallTime> TokenExpiry(const json::value& secret) {
  if (kube::GetString(secret, "type") != "bootstrap.kubernetes.io/token") return std::nullopt;
  const auto text = DecodeBase64(kube::GetString(secret, "data.expiration"));
  if (!text || text->empty()) return std::nullopt;
  const auto time = ParseTime(*text);
  // One that cannot be read lets nobody in any more; its owner may still want to see why.
  return time ? std::optional(*time) : std::nullopt;
}

// The server writes these times itself: what an event says of when it happened may be anything.
std::optional<WallTime> LastWrite(const json::value& object) {
  std::optional<WallTime> last = TimeAt(object, "metadata.creationTimestamp");
  const json::array* writers = kube::GetArray(object, "metadata.managedFields");
  if (writers == nullptr) return last;
  for (const json::value& writer : *writers) last = std::max(last, TimeAt(writer, "time"));
  return last;
}

std::optional<WallTime> RequestExpiry(const json::value& request) {
  const auto created = TimeAt(request, "metadata.creationTimestamp");
  if (!created) return std::nullopt;
  std::optional<WallTime> decided;
  if (const json::array* conditions = kube::GetArray(request, "status.conditions")) {
    for (const json::value& condition : *conditions) {
      decided = std::max(decided, std::max(TimeAt(condition, "lastUpdateTime"), created));
    }
  }
  return decided ? *decided + kDecidedLife : *created + kPendingLife;
}

}  // namespace

std::optional<WallTime> ExpiryOf(std::string_view key, const json::value& object) {
  if (key.starts_with(kTokens)) return TokenExpiry(object);
  if (key.starts_with(kRequests)) return RequestExpiry(object);
  if (!key.starts_with(kEvents)) return std::nullopt;
  const auto written = LastWrite(object);
  return written ? std::optional(*written + kEventLife) : std::nullopt;
}

Task<void> ExpiryController::Run() {
  while (true) {
    const auto revision = LookAtAll();
    if (!revision) co_return;
    auto watcher = services_.store.Watch("", *revision);
    while (watcher) {
      co_await RemoveDue();
      const Wake why = co_await watcher->WaitUntil(services_.clock, deadlines_.Next());
      if (why == Wake::kCancelled) co_return;
      if (!TakeNews(*watcher)) break;
    }
    if (co_await IsCancelled()) co_return;
  }
}

Result<Revision> ExpiryController::LookAtAll() {
  deadlines_ = {};
  Revision revision = 0;
  for (const std::string_view scope : kScopes) {
    TRY(const Page page, services_.store.List({.scope = std::string(scope)}));
    for (const RecordPtr& record : page.records) Note(*record);
    revision = page.revision;
  }
  return revision;
}

bool ExpiryController::TakeNews(Watcher& watcher) {
  while (true) {
    const auto change = watcher.TryNext();
    if (!change) return false;
    if (!*change) return true;
    const std::string& key = (*change)->key();
    if (!IsOurs(key)) continue;
    if ((*change)->kind() == ChangeKind::kDelete) {
      deadlines_.Erase(key);
    } else if (key.starts_with(kEvents)) {
      // There are many, and the time of this write is now.
      deadlines_.Set(key, services_.clock.Elapsed() + kEventLife);
    } else {
      Note(*(*change)->record);
    }
  }
}

void ExpiryController::Note(const Record& record) {
  const auto expiry = ExpiryOf(record.key, json::parse(record.value));
  if (!expiry) return deadlines_.Erase(record.key);
  const WallTime now = services_.clock.Now();
  const Duration left = *expiry <= now              ? Duration::zero()
                        : *expiry > now + kFarthest ? kFarthest
                                                    : *expiry - now;
  deadlines_.Set(record.key, services_.clock.Elapsed() + left);
}

Task<void> ExpiryController::RemoveDue() {
  while (const auto key = deadlines_.TakeDue(services_.clock.Elapsed())) {
    const RecordPtr record = services_.store.Get(*key);
    if (!record) continue;
    const auto expiry = ExpiryOf(*key, json::parse(record->value));
    if (!expiry || *expiry > services_.clock.Now()) {
      Note(*record);
      continue;
    }
    const auto removed = co_await Remove(*key, record);
    if (removed || !services_.store.Get(*key)) continue;
    // It has just been written: the news of that sets its time.
    if (removed.error().kind() == ErrorKind::kConflict) continue;
    if (removed.error().kind() == ErrorKind::kCancelled) co_return;
    log_.Warning("what has expired could not be removed",
                 {{"object", *key}, {"error", removed.error().message()}});
    deadlines_.Set(*key, services_.clock.Elapsed() + kRetry);
  }
}

Task<Result<void>> ExpiryController::Remove(std::string key, RecordPtr record) {
  // Events go without anybody being asked, as those of a real server do.
  if (key.starts_with(kEvents)) {
    CO_CHECK(co_await services_.store.Delete(key, record->mod_revision));
    co_return Ok();
  }
  const KeyParts parts = PartsOf(key);
  const ResourcePtr resource = ResourceOfKey(services_.registry, parts);
  if (!resource) co_return Ok();
  const Call call = CallOf(resource, parts.namespace_, parts.name, kController);
  RemovalOptions options;
  options.resource_version = std::to_string(record->mod_revision);
  CO_CHECK(co_await RemoveWith(services_, call, options));
  co_return Ok();
}

}  // namespace millwright::apiserver
