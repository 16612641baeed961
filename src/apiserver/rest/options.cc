#include "apiserver/rest/options.h"

#include <fmt/format.h>

#include <charconv>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

namespace {

// As Go's ParseBool, which Kubernetes uses; a parameter without a value is true.
Result<std::optional<bool>> ReadBool(const net::Target& target, std::string_view key) {
  const auto text = target.Find(key);
  if (!text) return std::optional<bool>();
  for (const std::string_view yes : {"", "1", "t", "T", "true", "TRUE", "True"}) {
    if (*text == yes) return std::optional(true);
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (*text == no) return std::optional(false);
  }
  return BadRequest(fmt::format("{}: \"{}\" is neither true nor false", key, *text));
}

Result<std::int64_t> ReadNumber(const net::Target& target, std::string_view key) {
  const auto text = target.Find(key);
  if (!text || text->empty()) return 0;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size() || number < 0) {
    return BadRequest(fmt::format("{}: \"{}\" is not a whole number of 0 or more", key, *text));
  }
  return number;
}

std::string Text(const net::Target& target, std::string_view key) {
  return std::string(target.Find(key).value_or(""));
}

Result<VersionMatch> ReadMatch(const net::Target& target) {
  const std::string text = Text(target, "resourceVersionMatch");
  if (text.empty()) return VersionMatch::kUnset;
  if (text == "Exact") return VersionMatch::kExact;
  if (text == "NotOlderThan") return VersionMatch::kNotOlderThan;
  return InvalidOptions("ListOptions",
                        {kube::NotSupportedError("resourceVersionMatch", boost::json::value(text),
                                                 {"Exact", "NotOlderThan", ""})});
}

// What may be combined, in the words of a kube-apiserver.
Result<void> CheckListOptions(const ListOptions& options) {
  std::vector<kube::FieldError> wrong;
  const auto forbid = [&](std::string field, std::string why) {
    wrong.push_back(kube::ForbiddenError(std::move(field), std::move(why)));
  };
  if (options.send_initial_events && !options.watch) {
    forbid("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  if (options.watch && options.send_initial_events) {
    if (options.match != VersionMatch::kNotOlderThan) {
      forbid("resourceVersionMatch",
             "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
  } else if (options.watch && options.match != VersionMatch::kUnset) {
    forbid("resourceVersionMatch",
           "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  } else if (options.match != VersionMatch::kUnset) {
    if (options.resource_version.empty()) {
      forbid("resourceVersionMatch",
             "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!options.continue_token.empty()) {
      forbid("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
    }
    if (options.match == VersionMatch::kExact && options.resource_version == "0") {
      forbid("resourceVersionMatch",
             "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }
  if (wrong.empty()) return Ok();
  return InvalidOptions("ListOptions", wrong);
}

}  // namespace

Result<std::optional<Revision>> ReadRevision(std::string_view text) {
  if (text.empty()) return std::optional<Revision>();
  Revision revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  if (error != std::errc() || end != text.data() + text.size() || revision < 0) {
    return BadRequest(
        fmt::format("Invalid value: \"{}\": strconv.ParseUint: parsing \"{}\": "
                    "invalid syntax",
                    text, text));
  }
  return std::optional(revision);
}

Result<ListOptions> ReadListOptions(const net::Target& target) {
  ListOptions options;
  const std::string labels = Text(target, "labelSelector");
  const std::string fields = Text(target, "fieldSelector");
  auto by_label = kube::ParseLabelSelector(labels);
  if (!by_label) return BadRequest("unable to parse requirement: " + by_label.error().message());
  options.labels = *std::move(by_label);
  auto by_field = kube::ParseFieldSelector(fields);
  if (!by_field) return BadRequest(by_field.error().message());
  options.fields = *std::move(by_field);
  options.resource_version = Text(target, "resourceVersion");
  CHECK_OK(ReadRevision(options.resource_version));
  TRY(options.match, ReadMatch(target));
  TRY(const auto limit, ReadNumber(target, "limit"));
  options.limit = static_cast<std::size_t>(limit);
  options.continue_token = Text(target, "continue");
  TRY(const auto watch, ReadBool(target, "watch"));
  options.watch = watch.value_or(false);
  TRY(const auto bookmarks, ReadBool(target, "allowWatchBookmarks"));
  options.allow_bookmarks = bookmarks.value_or(false);
  TRY(options.send_initial_events, ReadBool(target, "sendInitialEvents"));
  TRY(const auto seconds, ReadNumber(target, "timeoutSeconds"));
  if (seconds > 0) options.timeout = std::chrono::seconds(seconds);
  CHECK_OK(CheckListOptions(options));
  return options;
}

Result<WriteOptions> ReadWriteOptions(const net::Target& target, std::string_view kind) {
  WriteOptions options;
  for (const net::QueryParameter& parameter : target.query) {
    if (parameter.key != "dryRun") continue;
    if (parameter.value == "All") {
      options.dry_run = true;
    } else if (!parameter.value.empty()) {
      return InvalidOptions(
          kind, {kube::NotSupportedError("dryRun", boost::json::array{parameter.value}, {"All"})});
    }
  }
  TRY(const auto force, ReadBool(target, "force"));
  options.force = force.value_or(false);
  options.field_manager = Text(target, "fieldManager");
  const std::string validation = Text(target, "fieldValidation");
  if (validation == "Strict") {
    options.field_validation = FieldValidation::kStrict;
  } else if (validation == "Ignore") {
    options.field_validation = FieldValidation::kIgnore;
  } else if (!validation.empty() && validation != "Warn") {
    return BadRequest(fmt::format(
        "Invalid value: \"{}\": supported values: \"Ignore\", \"Warn\", \"Strict\"", validation));
  }
  return options;
}

}  // namespace millwright::apiserver
