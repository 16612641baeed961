#include "apiserver/store/list.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace millwright::apiserver {

namespace {

// Fills a page with what it is offered in key order.
class PageFiller {
 public:
  PageFiller(const ListQuery& query, Revision revision) : query_(query) {
    page_.revision = revision;
  }

  // False once nothing more is wanted.
  bool Offer(const RecordPtr& record) {
    if (query_.limit == 0 || page_.records.size() < query_.limit) {
      page_.records.push_back(record);
      return true;
    }
    page_.more = true;
    if (query_.count_remaining) ++page_.remaining;
    return query_.count_remaining;
  }

  Page Take() && { return std::move(page_); }

 private:
  const ListQuery& query_;
  Page page_;
};

// What the objects changed since then were at that revision; null for one that did not exist.
using Then = std::map<std::string_view, RecordPtr>;

Then Rewind(const History& history, const ListQuery& query) {
  Then then;
  for (Revision revision = query.revision + 1; revision <= history.last(); ++revision) {
    const Change& change = history.At(revision);
    const bool wanted = Covers(query.scope, change.key()) && change.key() > query.start_after;
    // The first change after that moment still knows what was there.
    if (wanted) then.try_emplace(change.key(), change.previous);
  }
  return then;
}

Page ListPast(const Objects& objects, const History& history, const ListQuery& query) {
  const Then then = Rewind(history, query);
  PageFiller filler(query, query.revision);
  auto next = then.begin();
  bool wanted = true;
  // Objects that are gone today lie between those that are not.
  const auto offer_up_to = [&](const std::string* key) {
    for (; wanted && next != then.end() && (key == nullptr || next->first < *key); ++next) {
      if (next->second) wanted = filler.Offer(next->second);
    }
  };
  objects.ForEach(query.scope, query.start_after, [&](const RecordPtr& record) {
    offer_up_to(&record->key);
    if (!wanted) return false;
    const bool changed_since = next != then.end() && next->first == record->key;
    const RecordPtr& was = changed_since ? (next++)->second : record;
    if (was) wanted = filler.Offer(was);
    return wanted;
  });
  offer_up_to(nullptr);
  return std::move(filler).Take();
}

}  // namespace

Result<Page> ListObjects(const Objects& objects, const History& history, const ListQuery& query) {
  if (query.revision > history.last()) {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("revision {} has not been reached, the newest is {}: try again later",
                            query.revision, history.last()));
  }
  if (query.revision != 0 && query.revision < history.compacted()) {
    return Fail(ErrorKind::kExpired,
                fmt::format("revision {} has been compacted, the oldest is {}: list from the start",
                            query.revision, history.compacted()));
  }
  if (query.revision != 0 && query.revision != history.last()) {
    return ListPast(objects, history, query);
  }
  PageFiller filler(query, history.last());
  objects.ForEach(query.scope, query.start_after,
                  [&](const RecordPtr& record) { return filler.Offer(record); });
  return std::move(filler).Take();
}

}  // namespace millwright::apiserver
