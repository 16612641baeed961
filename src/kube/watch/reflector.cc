#include "kube/watch/reflector.h"

#include "base/task_group.h"
#include "kube/api/status.h"
#include "kube/projection/list.h"
#include "kube/watch/line_buffer.h"
#include "kube/workqueue/rate_limiter.h"

namespace millwright::kube {

namespace {

// Versions that cannot be compared (not numbers) are taken as they come.
void Advance(ResourceVersion& newest, ResourceVersion version) {
  if (version.empty()) return;
  if (CompareResourceVersions(version, newest) != std::partial_ordering::less) {
    newest = std::move(version);
  }
}

// A watch that was open for so long was no refusal, even if nothing happened meanwhile.
constexpr Duration kLasting = std::chrono::seconds(5);

// A server, or a proxy before it, that accepts a WatchList without knowing of such sends changes
// for ever and never the end of the state. One that was just restarted gets a second chance.
bool LacksWatchList(const AttemptFacts& facts) {
  return facts.watch_list && (facts.stalled || (facts.opened && (facts.lasted || facts.again)));
}

NextAttempt PlanByOutcome(const Result<void>& outcome, const AttemptFacts& facts) {
  if (facts.stalled) return {};
  if (outcome) {  // the server ended the watch, as it should, but not before it said anything
    return {.pause = facts.saw_changes || facts.lasted ? Pause::kNone : Pause::kBackOff};
  }
  switch (outcome.error().kind()) {
    case ErrorKind::kExpired:
      // At once if we had been watching; a server that forgets right after a list gets a pause.
      return {.relist = true,
              .pause = facts.resumed || facts.saw_changes ? Pause::kNone : Pause::kBackOff};
    case ErrorKind::kInvalid:
      // A server without WatchList refuses its parameters; anything else invalid may be one bad
      // event, and a fresh list is the way past it.
      return {.relist = true,
              .without_watch_list = facts.watch_list,
              .pause = facts.watch_list ? Pause::kNone : Pause::kBackOff};
    case ErrorKind::kUnavailable:
      // A status is an answer, by the server or by what stands before it.
      return {.pause = outcome.error().detail<StatusDetail>() == nullptr ? Pause::kUntilReachable
                                                                         : Pause::kBackOff};
    case ErrorKind::kNotFound:
    case ErrorKind::kAlreadyExists:
    case ErrorKind::kConflict:
    case ErrorKind::kThrottled:
    case ErrorKind::kNoCapacity:
    case ErrorKind::kInDoubt:
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kPermission:
    case ErrorKind::kCancelled:
    case ErrorKind::kInternal: return {.pause = Pause::kBackOff};
  }
  return {.pause = Pause::kBackOff};
}

}  // namespace

NextAttempt PlanNextAttempt(const Result<void>& outcome, const AttemptFacts& facts) {
  NextAttempt next = PlanByOutcome(outcome, facts);
  if (LacksWatchList(facts)) next.without_watch_list = true;
  return next;
}

Reflector::Reflector(Client& client, Clock& clock, Random& random, Logger log,
                     ReflectorOptions options, ReflectorSink& sink)
    : client_(client),
      clock_(clock),
      random_(random),
      log_(std::move(log)),
      options_(std::move(options)),
      sink_(sink),
      watch_list_(options_.watch_list) {}

Task<void> Reflector::Run() {
  while (!co_await IsCancelled()) {
    attempt_ = {.resumed = !resume_from_.empty(),
                .watch_list = resume_from_.empty() && watch_list_,
                .again = half_listed_};
    const Result<void> outcome = co_await Attempt();
    if (co_await IsCancelled()) co_return;

    const NextAttempt next = PlanNextAttempt(outcome, attempt_);
    Follow(next);
    if (next.pause == Pause::kNone) continue;
    Duration delay = DelayFor(next.pause);
    if (!outcome) {
      delay = std::max(delay, outcome.error().retry_after().value_or(Duration::zero()));
      log_.Warning("watch failed, will try again", {{"resource", options_.resource.resource},
                                                    {"error", outcome.error().message()},
                                                    {"delay", FormatDuration(delay)}});
    }
    co_await SleepFor(clock_, delay);
  }
}

void Reflector::Follow(const NextAttempt& next) {
  if (next.relist) resume_from_ = {};
  if (next.without_watch_list && watch_list_) {
    watch_list_ = false;
    log_.Info("no WatchList here, listing in pages", {{"resource", options_.resource.resource}});
  }
  if (attempt_.opened) half_listed_ = attempt_.watch_list;
  if (attempt_.saw_changes || attempt_.lasted) refusals_ = unreachable_ = 0;
}

// A server that has just come back refuses for a moment what it will soon allow, so how long it was
// away does not count against it.
Duration Reflector::DelayFor(Pause pause) {
  const bool unreachable = pause == Pause::kUntilReachable;
  const int tries = unreachable ? unreachable_++ : refusals_++;
  (unreachable ? refusals_ : unreachable_) = 0;
  const Duration most = unreachable ? options_.unreachable_retry_max : options_.retry_max;
  return random_.Jitter(ExponentialDelay(options_.retry_base, most, tries), 1);
}

Task<Result<void>> Reflector::Attempt() {
  if (!resume_from_.empty()) co_return co_await Watch(false);
  ++stats_.lists;
  if (watch_list_) co_return co_await Watch(true);
  CO_CHECK(co_await ListPages());
  co_return co_await Watch(false);
}

void Reflector::BeginList() {
  listing_ = true;
  // What a list showed before it stopped half-way has been seen, too.
  Advance(newest_seen_, std::exchange(newest_listed_, {}));
  const SteadyTime now = clock_.Elapsed();
  if (older_since_ && now >= *older_since_ + options_.accept_older_after) StartOver();
  sink_.BeginList();
}

void Reflector::StartOver() {
  log_.Warning("the server stays behind what it showed before, taking it as restored",
               {{"resource", options_.resource.resource}, {"seen", newest_seen_.str()}});
  older_since_.reset();
  newest_seen_ = {};
  sink_.StartOver();
}

Task<Result<void>> Reflector::ListPages() {
  BeginList();
  ListOptions options{.namespace_ = options_.namespace_,
                      .label_selector = options_.label_selector,
                      .field_selector = options_.field_selector,
                      .limit = options_.page_size,
                      .metadata_only = options_.metadata_only};
  while (true) {
    CO_TRY(std::string page, co_await client_.List(options_.resource, options));
    CO_TRY(ListMeta meta, ForEachListItem(std::move(page), [this](JsonObject item) -> Result<void> {
             TRY(ResourceVersion version, sink_.Upsert(item));
             Advance(newest_listed_, std::move(version));
             return {};
           }));
    if (meta.continue_token.empty()) co_return FinishList(std::move(meta.resource_version));
    options.continue_token = std::move(meta.continue_token);
  }
}

Result<void> Reflector::FinishList(ResourceVersion version) {
  listing_ = false;
  // Somebody else's "{}" must not be taken for an empty list: everything would be gone.
  if (version.empty()) return Fail(ErrorKind::kInvalid, "this is no list: it has no version");
  attempt_.watch_list = false;  // if it was one, the server has it: what fails later is not that
  if (CompareResourceVersions(version, newest_seen_) == std::partial_ordering::less) {
    if (!older_since_) older_since_ = clock_.Elapsed();
    return Fail(ErrorKind::kUnavailable, "the server listed an older state (" + version.str() +
                                             ") than it showed before (" + newest_seen_.str() +
                                             ")");
  }
  newest_listed_ = {};
  older_since_.reset();
  sink_.EndList(version);
  Remember(std::move(version));
  return {};
}

void Reflector::Remember(ResourceVersion version) {
  Advance(newest_seen_, std::move(version));
  resume_from_ = newest_seen_;
}

Task<Result<void>> Reflector::Watch(bool initial_events) {
  ++stats_.watches;
  if (initial_events) BeginList();
  const auto seconds = options_.watch_timeout.count();
  WatchOptions options{
      .namespace_ = options_.namespace_,
      .label_selector = options_.label_selector,
      .field_selector = options_.field_selector,
      .resource_version = resume_from_.str(),
      .send_initial_events = initial_events,
      .timeout = std::chrono::seconds(
          seconds + static_cast<std::int64_t>(random_.Below(
                        static_cast<std::uint64_t>(std::max<std::int64_t>(seconds, 1))))),
      .metadata_only = options_.metadata_only};

  const Executor executor = co_await boost::asio::this_coro::executor;
  Result<void> outcome;
  bool ended = false;
  Signal signal(executor);
  TaskGroup reading(executor);
  last_activity_ = clock_.Elapsed();
  reading.Spawn([&] { return Consume(options, outcome, ended, signal); });
  bool stalled = false;
  while (!ended) {
    const Wake why = co_await signal.WaitUntil(clock_, last_activity_ + options_.stall_timeout);
    if (why == Wake::kCancelled) break;
    stalled = clock_.Elapsed() >= last_activity_ + options_.stall_timeout;
    if (!ended && stalled) break;
  }
  reading.Cancel();
  co_await reading.Join();
  attempt_.lasted = attempt_.opened && clock_.Elapsed() >= opened_ + kLasting;
  if (stalled && !outcome && outcome.error().kind() == ErrorKind::kCancelled) {
    ++stats_.stalls;
    attempt_.stalled = true;
    log_.Info("watch was silent, resuming it", {{"resource", options_.resource.resource}});
    co_return Ok();
  }
  co_return outcome;
}

Task<void> Reflector::Consume(WatchOptions options, Result<void>& outcome, bool& ended,
                              Signal& signal) {
  outcome = co_await ReadEvents(std::move(options));
  ended = true;
  signal.NotifyAll();
}

Task<Result<void>> Reflector::ReadEvents(WatchOptions options) {
  CO_TRY(auto stream, co_await client_.Watch(options_.resource, std::move(options)));
  attempt_.opened = true;
  opened_ = clock_.Elapsed();
  LineBuffer lines;
  while (true) {
    CO_TRY(const std::string piece, co_await stream->Read());
    if (piece.empty()) break;
    last_activity_ = clock_.Elapsed();
    CO_CHECK(lines.Append(piece));
    while (const auto line = lines.Next()) {
      CO_CHECK(parser_.Parse(
          *line, [this](EventType type, JsonObject object) { return Deliver(type, object); }));
    }
  }
  // A list that stopped half-way has told us nothing about what is gone.
  if (std::exchange(listing_, false)) {
    co_return Fail(ErrorKind::kUnavailable,
                   "the watch ended before the initial state was complete");
  }
  co_return Ok();
}

Result<void> Reflector::Deliver(EventType type, JsonObject object) {
  switch (type) {
    case EventType::kError: return Failure(ReadErrorEvent(object));
    case EventType::kBookmark: {
      TRY(Bookmark bookmark, ReadBookmark(object));
      if (listing_) {
        return bookmark.ends_initial_events ? FinishList(std::move(bookmark.resource_version))
                                            : Result<void>();
      }
      attempt_.saw_changes = true;
      sink_.Progress(bookmark.resource_version);
      Remember(std::move(bookmark.resource_version));
      return {};
    }
    case EventType::kAdded:
    case EventType::kModified:
    case EventType::kDeleted: {
      ++stats_.events;
      TRY(ResourceVersion version,
          type == EventType::kDeleted ? sink_.Remove(object) : sink_.Upsert(object));
      if (listing_) {
        Advance(newest_listed_, std::move(version));
        return {};
      }
      attempt_.saw_changes = true;
      Remember(std::move(version));
      return {};
    }
  }
  return {};
}

}  // namespace millwright::kube
