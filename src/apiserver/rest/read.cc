#include "apiserver/rest/read.h"

#include <boost/json.hpp>

#include "apiserver/rest/continue_token.h"
#include "apiserver/rest/current_form.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/selection.h"
#include "apiserver/store/list.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// What is read from the store at a time when a selection leaves most of it out.
constexpr std::size_t kChunk = 1000;

struct Items {
  std::vector<RecordPtr> records;
  Revision revision = 0;
  bool more = false;
  std::size_t remaining = 0;
};

// Where and when a list begins.
struct Start {
  Revision revision = 0;  // 0: now
  std::string after;
};

Result<Start> StartOf(const Services& services, const ListOptions& options,
                      const std::string& scope) {
  if (!options.continue_token.empty()) {
    TRY(const auto token, ContinueToken::Decode(options.continue_token));
    if (!options.resource_version.empty() && options.resource_version != "0") {
      return BadRequest("specifying resource version is not allowed when using continue");
    }
    return Start{.revision = token.revision, .after = scope + token.start_after};
  }
  TRY(const auto asked, ReadRevision(options.resource_version));
  if (!asked || *asked == 0) return Start{};
  const Revision now = services.store.revision();
  if (*asked > now) return TooLargeResourceVersion(*asked, now);
  const bool legacy_exact = options.match == VersionMatch::kUnset && options.limit > 0;
  if (options.match == VersionMatch::kExact || legacy_exact) return Start{.revision = *asked};
  return Start{};
}

Failure ExpiredList(const ListOptions& options) {
  if (options.continue_token.empty()) {
    return Expired("The resourceVersion for the provided list is too old.");
  }
  return Expired(
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter.");
}

Task<Result<Items>> Collect(const Services& services, const Resource& resource,
                            const std::string& scope, const Start& start,
                            const ListOptions& options, const Selection& selection) {
  Items items;
  std::string after = start.after;
  Revision revision = start.revision;
  while (true) {
    const bool all = selection.IsEverything();
    CO_TRY(auto page, services.store.List({.scope = scope,
                                           .start_after = after,
                                           .limit = all ? options.limit : kChunk,
                                           .revision = revision,
                                           .count_remaining = all && options.limit > 0}));
    items.revision = revision = page.revision;
    if (!page.records.empty()) after = page.records.back()->key;
    items.more = page.more;
    items.remaining = page.remaining;
    CO_TRY(auto records, co_await InCurrentForm(resource, std::move(page.records)));
    if (all) {
      items.records = std::move(records);
      co_return items;
    }
    for (RecordPtr& record : records) {
      if (!selection.Matches(*record)) continue;
      if (options.limit > 0 && items.records.size() == options.limit) {
        items.more = true;
        co_return items;
      }
      items.records.push_back(std::move(record));
    }
    if (!page.more) co_return items;
  }
}

std::string ListText(const Call& call, const Items& items, const std::string& scope,
                     bool selected) {
  json::object metadata{{"resourceVersion", VersionText(items.revision)}};
  if (items.more && !items.records.empty()) {
    const ContinueToken token{.revision = items.revision,
                              .start_after = items.records.back()->key.substr(scope.size())};
    metadata["continue"] = token.Encode();
    if (!selected) metadata["remainingItemCount"] = items.remaining;
  }
  const Resource& resource = *call.resource;
  // Lists of custom objects say also that there is no more.
  if (resource.custom && !metadata.contains("continue")) metadata["continue"] = "";
  std::size_t size = 256;
  for (const RecordPtr& record : items.records) size += record->value.size() + 1;
  std::string text;
  text.reserve(size);
  text = R"({"kind":")" + resource.list_kind + R"(","apiVersion":")" + resource.kind.ApiVersion() +
         R"(","metadata":)" + json::serialize(metadata) + R"(,"items":[)";
  for (const RecordPtr& record : items.records) {
    if (text.back() != '[') text += ',';
    AppendItem(*record, resource, text);
  }
  return text += "]}";
}

}  // namespace

Result<RecordPtr> FindRecord(const Services& services, const Call& call) {
  const std::string& space = call.resource->namespaced ? call.place.namespace_ : std::string();
  auto record = services.store.Get(StorageKey(*call.resource, space, call.place.name));
  if (!record) return NotFound(*call.resource, call.place.name);
  return record;
}

Task<Result<Answer>> ReadObject(const Services& services, const Call& call) {
  CO_TRY(auto stored, FindRecord(services, call));
  CO_TRY(const auto record, co_await InCurrentForm(*call.resource, std::move(stored)));
  co_return Answer{.text = InVersion(*record, *call.resource)};
}

Task<Result<Answer>> ReadList(const Services& services, const Call& call,
                              const ListOptions& options) {
  CO_TRY(const auto selection, Selection::Of(*call.resource, options));
  const std::string scope =
      StorageScope(*call.resource, call.resource->namespaced ? call.place.namespace_ : "");
  CO_TRY(const auto start, StartOf(services, options, scope));
  const auto items = co_await Collect(services, *call.resource, scope, start, options, selection);
  if (!items && items.error().kind() == ErrorKind::kExpired) co_return ExpiredList(options);
  if (!items) co_return Failure(items.error());
  co_return Answer{.text = ListText(call, *items, scope, !selection.IsEverything())};
}

}  // namespace millwright::apiserver
