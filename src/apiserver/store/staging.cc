#include "apiserver/store/staging.h"

#include <fmt/format.h>

#include <utility>

namespace millwright::apiserver {

namespace {

Result<void> Judge(const WriteRequest& request, const RecordPtr& current) {
  if (request.key.empty()) return Fail(ErrorKind::kInvalid, "an object needs a key");
  if (request.kind == WriteRequest::Kind::kCreate) {
    if (!current) return Ok();
    return Fail(ErrorKind::kAlreadyExists, fmt::format("{} already exists", request.key));
  }
  if (!current) return Fail(ErrorKind::kNotFound, fmt::format("{} does not exist", request.key));
  if (request.expected && *request.expected != current->mod_revision) {
    return Fail(ErrorKind::kConflict,
                fmt::format("{} is at revision {} and not {}: read it again", request.key,
                            current->mod_revision, *request.expected));
  }
  return Ok();
}

}  // namespace

ValueBuilder Fixed(std::string value) {
  return [value = std::move(value)](Revision) mutable { return std::move(value); };
}

RecordPtr Staging::Newest(std::string_view key) const {
  if (const auto it = staged_.find(key); it != staged_.end()) {
    return it->second->IsTombstone() ? nullptr : it->second;
  }
  return objects_.Find(key);
}

Change Staging::Accept(WriteRequest request, RecordPtr previous) {
  auto record = std::make_shared<Record>();
  record->mod_revision = ++last_;
  record->create_revision = previous ? previous->create_revision : record->mod_revision;
  if (request.kind != WriteRequest::Kind::kDelete) {
    record->value = request.build(record->mod_revision);
    record->version = previous ? previous->version + 1 : 1;
  }
  record->key = std::move(request.key);
  // Text that grew while it was written may have up to twice the room it needs, for good.
  record->value.shrink_to_fit();
  record->key.shrink_to_fit();
  return {std::move(record), std::move(previous)};
}

Result<Change> Staging::Stage(WriteRequest request) {
  RecordPtr current = Newest(request.key);
  CHECK_OK(Judge(request, current));
  Change change = Accept(std::move(request), std::move(current));
  bytes_ += change.key().size() + change.record->value.size();
  staged_.insert_or_assign(change.key(), change.record);
  changes_.push_back(change);
  return change;
}

}  // namespace millwright::apiserver
