#include "apiserver/rest/watch.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/current_form.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/render.h"
#include "apiserver/rest/selection.h"
#include "apiserver/store/watcher.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr Duration kBookmarkEvery = std::chrono::minutes(1);
constexpr Duration kShortestWatch = std::chrono::minutes(30);

// Events go out together up to this size: a burst then costs few writes.
constexpr std::size_t kEnough = std::size_t{64} << 10U;

std::string Event(std::string_view type, std::string_view object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

std::string ErrorEvent(const Error& error) {
  return Event("ERROR", json::serialize(kube::EncodeStatus(StatusOf(error))));
}

// Everything one stream needs, kept until it ends.
struct Following {
  const Services& services;
  ResourcePtr resource;
  Output output;
  TableWishes wishes;
  Selection selection;
  std::string scope;
  bool bookmarks = false;
  bool initial_events = false;
  bool mark_initial_end = false;
  std::optional<Revision> from;  // none: now
  Duration time;

  std::string Shown(std::string text) {
    text = Render(output, *resource, std::move(text), wishes, services.clock.Now());
    wishes.headers = false;
    return text;
  }

  std::string Bookmark(Revision revision, bool initial_end) {
    json::object metadata{{"resourceVersion", VersionText(revision)}};
    if (initial_end) {
      metadata["annotations"] = json::object{{"k8s.io/initial-events-end", "true"}};
    }
    const json::object object{{"kind", resource->kind.kind},
                              {"apiVersion", resource->kind.ApiVersion()},
                              {"metadata", std::move(metadata)}};
    return Event("BOOKMARK", Shown(json::serialize(object)));
  }

  // The last state of a deleted object, at the revision of its deletion.
  std::string LastState(const Change& change) const {
    json::value object = json::parse(InVersion(*change.previous, *resource));
    SetResourceVersion(object, VersionText(change.revision()));
    return WriteObject(object);
  }

  // Empty if the selection has nothing to do with the change.
  std::string EventOf(const Change& change) {
    const bool now = change.kind() != ChangeKind::kDelete && selection.Matches(*change.record);
    const bool before = change.previous != nullptr && selection.Matches(*change.previous);
    if (now) {
      return Event(before ? "MODIFIED" : "ADDED", Shown(InVersion(*change.record, *resource)));
    }
    return before ? Event("DELETED", Shown(LastState(change))) : std::string();
  }
};

Result<Page> ListAll(Following& job) {
  const std::string* name = job.selection.name();
  std::string scope = job.scope;
  // A client that waits for one object need not make us look at all.
  if (name != nullptr && !job.resource->namespaced) scope += *name;
  return job.services.store.List({.scope = std::move(scope)});
}

Task<Result<void>> SendInitial(Following& job, net::BodyWriter& writer) {
  CO_TRY(const Page page, ListAll(job));
  job.from = page.revision;
  CO_TRY(const auto records, co_await InCurrentForm(*job.resource, page.records));
  std::string batch;
  for (const RecordPtr& record : records) {
    if (!job.selection.Matches(*record)) continue;
    batch += Event("ADDED", job.Shown(InVersion(*record, *job.resource)));
    if (batch.size() < kEnough) continue;
    CO_CHECK(co_await writer.Write(std::exchange(batch, {})));
  }
  if (job.mark_initial_end) batch += job.Bookmark(page.revision, true);
  if (!batch.empty()) CO_CHECK(co_await writer.Write(std::move(batch)));
  co_return Ok();
}

// The objects of a change as the client knows them.
Task<Result<void>> BringIntoForm(const Following& job, Change& change) {
  if (change.kind() != ChangeKind::kDelete) {
    CO_TRY(change.record, co_await InCurrentForm(*job.resource, change.record));
  }
  const bool needed = change.kind() == ChangeKind::kDelete || !job.selection.IsEverything();
  if (change.previous && needed) {
    CO_TRY(change.previous, co_await InCurrentForm(*job.resource, change.previous));
  }
  co_return Ok();
}

// All that has happened and was not sent; how far it got is in the watcher.
Task<Result<void>> SendNews(Following& job, Watcher& watcher, net::BodyWriter& writer) {
  while (true) {
    std::string batch;
    while (batch.size() < kEnough) {
      CO_TRY(auto change, watcher.TryNext());
      if (!change) break;
      CO_CHECK(co_await BringIntoForm(job, *change));
      batch += job.EventOf(*change);
    }
    if (batch.empty()) co_return Ok();
    CO_CHECK(co_await writer.Write(std::move(batch)));
  }
}

Task<Result<void>> Follow(Following job, net::BodyWriter& writer) {
  Clock& clock = job.services.clock;
  const SteadyTime end = clock.Elapsed() + job.time;
  if (job.initial_events) CO_CHECK(co_await SendInitial(job, writer));
  auto watcher =
      job.services.store.Watch(job.scope, job.from.value_or(job.services.store.revision()));
  if (!watcher) {
    const auto error = Expired(fmt::format("too old resource version: {} ({})",
                                           job.from.value_or(0), job.services.store.compacted()));
    co_return co_await writer.Write(ErrorEvent(error.error()));
  }
  SteadyTime bookmark = clock.Elapsed() + kBookmarkEvery;
  while (true) {
    const auto sent = co_await SendNews(job, *watcher, writer);
    const bool tell = !sent && (sent.error().kind() == ErrorKind::kExpired ||
                                sent.error().detail<kube::StatusDetail>() != nullptr);
    if (tell) {
      co_return co_await writer.Write(ErrorEvent(sent.error()));
    }
    CO_CHECK(sent);
    const SteadyTime until = job.bookmarks ? std::min(end, bookmark) : end;
    const Wake why = co_await watcher->WaitUntil(clock, until);
    if (why == Wake::kCancelled) co_return Ok();
    if (why != Wake::kTimeout) continue;
    if (job.bookmarks) {
      bookmark = clock.Elapsed() + kBookmarkEvery;
      CO_CHECK(co_await writer.Write(job.Bookmark(watcher->revision(), false)));
    }
    if (clock.Elapsed() >= end) co_return Ok();
  }
}

}  // namespace

Result<Answer> WatchObjects(const Services& services, const Call& call,
                            const ListOptions& options) {
  TRY(auto selection, Selection::Of(*call.resource, options));
  TRY(const auto revision, ReadRevision(options.resource_version));
  const bool from_now = !revision || *revision == 0;
  Duration time = options.timeout.value_or(services.random.Jitter(kShortestWatch, 1.0));
  std::string space = call.resource->namespaced ? call.place.namespace_ : std::string();
  std::string scope = call.place.name.empty() ? StorageScope(*call.resource, space)
                                              : StorageKey(*call.resource, space, call.place.name);
  Following job{
      .services = services,
      .resource = call.resource,
      .output = call.output,
      .wishes = TableWishesOf(call.target),
      .selection = std::move(selection),
      .scope = std::move(scope),
      .bookmarks = options.allow_bookmarks,
      .initial_events = options.send_initial_events.value_or(from_now),
      .mark_initial_end = options.allow_bookmarks && options.send_initial_events.value_or(false),
      .from = from_now ? std::nullopt : revision,
      .time = time};
  Answer answer;
  answer.stream = [job = std::move(job)](net::BodyWriter& writer) mutable {
    return Follow(std::move(job), writer);
  };
  return answer;
}

}  // namespace millwright::apiserver
