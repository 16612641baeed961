#include "cli/describe_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/age.h"
#include "kube/api/json_text.h"

namespace millwright::cli {

namespace json = boost::json;

namespace {

using Rows = std::vector<std::vector<Cell>>;

// Written by old and new ways of telling events, whichever is there.
WallTime TimeOf(const json::value& event) {
  for (const std::string_view field :
       {"series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"}) {
    const auto time = ParseTime(kube::GetString(event, field));
    if (time) return *time;
  }
  return {};
}

std::string FactsText(const Description& description, const TableStyle& style) {
  Rows rows;
  for (const auto& [name, value] : description.facts) {
    if (!value.empty()) rows.push_back({{name + ":"}, {value}});
  }
  return RenderTable(rows, style);
}

std::string ConditionsText(const Description& description, const TableStyle& style, WallTime now) {
  Rows rows = {{{"TYPE"}, {"STATUS"}, {"SINCE"}, {"REASON"}, {"MESSAGE"}}};
  for (const core::Condition& condition : description.conditions) {
    rows.push_back({{condition.type},
                    {condition.status},
                    {AgeSince(condition.since, now)},
                    {condition.reason},
                    {condition.message}});
  }
  return RenderTable(rows, style);
}

std::string EventsText(const Description& description, const TableStyle& style, WallTime now) {
  Rows rows = {{{"AGE"}, {"TYPE"}, {"REASON"}, {"MESSAGE"}}};
  for (const EventLine& event : description.events) {
    std::string age = AgeSince(event.last, now);
    if (event.count > 1) age += fmt::format(" (x{})", event.count);
    rows.push_back({{std::move(age)},
                    {event.type, event.type == "Warning" ? Mood::kBad : Mood::kPlain},
                    {event.reason},
                    {event.message}});
  }
  return RenderTable(rows, style);
}

}  // namespace

Result<std::vector<EventLine>> ReadEvents(std::string_view list, std::size_t most) {
  TRY(const json::value tree, kube::ParseJson(list));
  std::vector<EventLine> events;
  if (const json::array* items = kube::GetArray(tree, "items")) {
    for (const json::value& item : *items) {
      const std::int64_t count =
          std::max(kube::GetInt(item, "count", 1), kube::GetInt(item, "series.count", 1));
      events.push_back({.last = TimeOf(item),
                        .type = std::string(kube::GetString(item, "type")),
                        .reason = std::string(kube::GetString(item, "reason")),
                        .message = std::string(kube::GetString(item, "message")),
                        .count = std::max<std::int64_t>(count, 1)});
    }
  }
  std::ranges::sort(events, {}, [](const EventLine& event) {
    return std::tie(event.last, event.reason, event.message);
  });
  if (events.size() > most) {
    events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(most));
  }
  return events;
}

std::string RenderDescription(const Description& description, const TreeStyle& style,
                              WallTime now) {
  TableStyle inner = style.table;
  inner.indent = "  ";
  // A cause is read to its end: only what is in columns is cut.
  std::string text = description.title + "\n" + FactsText(description, {.indent = "  "});
  if (description.causes.empty()) {
    text += "\n" + description.all_well + "\n";
  } else {
    text += "\n" + description.question + "\n" + CausesText(description.causes);
  }
  if (!description.conditions.empty()) {
    text += "\nConditions\n" + ConditionsText(description, inner, now);
  }
  TreeStyle tree = style;
  tree.table = inner;
  text += "\nMachines\n" + RenderTree({&description.tree, 1}, tree, now);
  text += description.events.empty() ? "\nNo events lately\n"
                                     : "\nEvents\n" + EventsText(description, inner, now);
  return text;
}

}  // namespace millwright::cli
