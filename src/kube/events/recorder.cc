#include "kube/events/recorder.h"

#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

namespace {

const GroupVersionResource kCoreEvents{"", "v1", "events"};
const GroupVersionResource kNewEvents{"events.k8s.io", "v1", "events"};

// An Event that cannot be written after this many tries is not worth the API server's time.
constexpr int kTries = 3;
constexpr Duration kRetryDelay = std::chrono::seconds(10);

enum class Outcome { kSettled, kWorthAnotherTry, kHopeless };

Outcome OutcomeOf(const Result<void>& sent) {
  if (sent) return Outcome::kSettled;
  switch (sent.error().kind()) {
    case ErrorKind::kAlreadyExists: return Outcome::kSettled;  // its answer was lost before
    case ErrorKind::kUnavailable:
    case ErrorKind::kInDoubt:
    case ErrorKind::kThrottled:
    case ErrorKind::kCancelled: return Outcome::kWorthAnotherTry;
    case ErrorKind::kNotFound:
    case ErrorKind::kConflict:
    case ErrorKind::kExpired:
    case ErrorKind::kNoCapacity:
    case ErrorKind::kInvalid:
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kPermission:
    case ErrorKind::kInternal: return Outcome::kHopeless;
  }
  return Outcome::kHopeless;
}

const GroupVersionResource& ResourceFor(EventsApi api) {
  return api == EventsApi::kCore ? kCoreEvents : kNewEvents;
}

// Events about cluster-scoped objects live in "default", as everywhere.
std::string NamespaceFor(const ObjectReference& about) {
  return about.key.namespace_.empty() ? "default" : about.key.namespace_;
}

json::object Reference(const ObjectReference& about) {
  json::object reference{
      {"apiVersion", about.api_version}, {"kind", about.kind}, {"name", about.key.name}};
  if (!about.key.namespace_.empty()) reference["namespace"] = about.key.namespace_;
  if (!about.uid.empty()) reference["uid"] = about.uid.str();
  return reference;
}

json::string_view Type(EventSeverity severity) {
  return severity == EventSeverity::kNormal ? "Normal" : "Warning";
}

void AddCoreFields(json::object& event, const EventWrite& write, const RecorderOptions& options) {
  event["involvedObject"] = Reference(write.note.about);
  event["message"] = write.note.message;
  event["source"] = {{"component", options.component}};
  event["firstTimestamp"] = FormatTime(write.first);
  event["lastTimestamp"] = FormatTime(write.last);
  event["count"] = write.count;
  event["reportingComponent"] = options.component;
  event["reportingInstance"] = options.instance;
}

void AddNewFields(json::object& event, const EventWrite& write, const RecorderOptions& options) {
  event["regarding"] = Reference(write.note.about);
  event["note"] = write.note.message;
  event["action"] = write.note.action.empty() ? write.note.reason : write.note.action;
  event["eventTime"] = FormatMicroTime(write.first);
  event["reportingController"] = options.component;
  event["reportingInstance"] = options.instance;
}

}  // namespace

std::string EventBody(const EventWrite& write, const RecorderOptions& options) {
  const bool core = options.api == EventsApi::kCore;
  json::object event{
      {"apiVersion", core ? "v1" : "events.k8s.io/v1"},
      {"kind", "Event"},
      {"metadata", {{"name", write.name}, {"namespace", NamespaceFor(write.note.about)}}},
      {"type", Type(write.note.severity)},
      {"reason", write.note.reason}};
  if (core) {
    AddCoreFields(event, write, options);
  } else {
    AddNewFields(event, write, options);
  }
  return json::serialize(event);
}

std::string EventCountPatch(const EventWrite& write, const RecorderOptions& options) {
  if (options.api == EventsApi::kCore) {
    return json::serialize(json::object{{"count", write.count},
                                        {"lastTimestamp", FormatTime(write.last)},
                                        {"message", write.note.message}});
  }
  return json::serialize(json::object{
      {"series", {{"count", write.count}, {"lastObservedTime", FormatMicroTime(write.last)}}}});
}

Recorder::Recorder(const Executor& executor, Client& client, Clock& clock, Logger log,
                   RecorderOptions options)
    : client_(client),
      clock_(clock),
      log_(std::move(log)),
      options_(std::move(options)),
      correlator_(options_.correlator),
      changed_(executor) {}

void Recorder::Record(EventNote note) {
  if (queue_.size() >= options_.queue_limit) {
    ++dropped_;
    return;
  }
  std::optional<EventWrite> write =
      correlator_.Add(std::move(note), clock_.Elapsed(), clock_.Now());
  if (!write) {
    ++dropped_;
    return;
  }
  queue_.push_back(*std::move(write));
  changed_.NotifyAll();
}

Task<void> Recorder::Run() {
  while (!co_await IsCancelled()) {
    if (queue_.empty()) {
      co_await changed_.Wait();
    } else {
      co_await Write(TakeFirst());
    }
  }
  co_await IgnoreCancellation();
  co_await Flush();
}

EventWrite Recorder::TakeFirst() {
  EventWrite write = std::move(queue_.front());
  queue_.pop_front();
  return write;
}

Task<void> Recorder::Write(EventWrite write) {
  for (int attempt = 1;; ++attempt) {
    const Result<void> sent = co_await TryOnce(write);
    const Outcome outcome = OutcomeOf(sent);
    if (outcome == Outcome::kSettled) co_return;
    if (co_await IsCancelled()) {
      queue_.push_front(std::move(write));  // it has its last chance with the others
      co_return;
    }
    if (outcome == Outcome::kHopeless || attempt == kTries) {
      Drop(write, sent.error());
      co_return;
    }
    co_await SleepFor(clock_, sent.error().retry_after().value_or(kRetryDelay));
  }
}

// One try each, and none after the server could not be reached: somebody waits for us to end.
Task<void> Recorder::Flush() {
  while (!queue_.empty()) {
    EventWrite write = TakeFirst();
    const Result<void> sent = co_await TryOnce(write);
    const Outcome outcome = OutcomeOf(sent);
    if (outcome == Outcome::kSettled) continue;
    Drop(write, sent.error());
    if (outcome == Outcome::kWorthAnotherTry) break;
  }
  dropped_ += queue_.size();
  queue_.clear();
}

void Recorder::Drop(const EventWrite& write, const Error& error) {
  ++dropped_;
  log_.Warning("event dropped", {{"reason", write.note.reason},
                                 {"object", write.note.about.key.ToString()},
                                 {"error", error.message()}});
}

// A count for an Event that is not there any more becomes a new Event.
Task<Result<void>> Recorder::TryOnce(EventWrite& write) {
  Result<void> sent = co_await Send(write);
  if (sent || write.create || sent.error().kind() != ErrorKind::kNotFound) co_return sent;
  correlator_.Forget(write);
  write.create = true;
  write.count = 1;
  co_return co_await Send(write);
}

Task<Result<void>> Recorder::Send(const EventWrite& write) {
  const GroupVersionResource& resource = ResourceFor(options_.api);
  const ObjectKey key{NamespaceFor(write.note.about), write.name};
  if (write.create) {
    CO_CHECK(co_await client_.Create(resource, key, EventBody(write, options_)));
  } else {
    CO_CHECK(
        co_await client_.Patch(resource, key, PatchKind::kMerge, EventCountPatch(write, options_)));
  }
  co_return Ok();
}

}  // namespace millwright::kube
