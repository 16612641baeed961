// The query parameters of a request, read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apiserver/store/record.h"
#include "base/result.h"
#include "base/time.h"
#include "kube/api/field_selector.h"
#include "kube/api/labels.h"
#include "net/url.h"

namespace millwright::apiserver {

enum class VersionMatch { kUnset, kExact, kNotOlderThan };
enum class FieldValidation { kIgnore, kWarn, kStrict };

// Of lists and watches.
struct ListOptions {
  kube::LabelSelector labels;
  kube::FieldSelector fields;
  std::string resource_version;
  VersionMatch match = VersionMatch::kUnset;
  std::size_t limit = 0;
  std::string continue_token;
  bool watch = false;
  bool allow_bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<Duration> timeout;
};

// Of creates, updates and patches.
struct WriteOptions {
  bool dry_run = false;
  bool force = false;
  std::string field_manager;
  FieldValidation field_validation = FieldValidation::kWarn;
};

Result<ListOptions> ReadListOptions(const net::Target& target);
// `kind` is what a refusal calls them: "CreateOptions".
Result<WriteOptions> ReadWriteOptions(const net::Target& target, std::string_view kind);

// The number a client got from us; none for an empty text. "0" is 0.
Result<std::optional<Revision>> ReadRevision(std::string_view text);

}  // namespace millwright::apiserver
