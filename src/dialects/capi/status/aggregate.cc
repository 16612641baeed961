#include "dialects/capi/status/aggregate.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dialects/capi/status/deletion_delay.h"

namespace millwright::dialects::capi {
namespace {

constexpr std::size_t kMostLines = 3;

struct Group {
  std::string message;
  std::vector<std::string> names;
  bool control_plane = false;
};

std::vector<Group> GroupByMessage(std::span<const AggregateInput> inputs, Weight weight) {
  std::map<std::string, Group, std::less<>> by_message;
  for (const AggregateInput& input : inputs) {
    if (input.weight != weight) continue;
    std::string message = input.message;
    if (message.empty()) {
      if (weight == Weight::kInfo) continue;
      message = "No additional info provided";
    }
    Group& group = by_message[message];
    group.message = message;
    group.names.push_back(input.name);
    group.control_plane |= input.control_plane;
  }
  std::vector<Group> groups;
  for (auto& [message, group] : by_message) {
    std::ranges::sort(group.names);
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, [](const Group& a, const Group& b) {
    return std::tuple(!a.control_plane, b.names.size(), a.names) <
           std::tuple(!b.control_plane, a.names.size(), b.names);
  });
  return groups;
}

void Tell(std::string& text, std::span<const Group> groups, std::size_t& lines_left,
          std::string_view kind, std::string_view rest) {
  std::size_t others = 0;
  for (const Group& group : groups) {
    if (lines_left == 0) {
      others += group.names.size();
      continue;
    }
    --lines_left;
    if (!text.empty()) text += '\n';
    text += fmt::format("* {} {}:{}", Plural(kind, group.names.size()), ListNames(group.names),
                        AfterColon(group.message));
  }
  if (others > 0) {
    if (!text.empty()) text += '\n';
    text += fmt::format("And {} {} {}", others, Plural(kind, others), rest);
  }
}

}  // namespace

std::string Plural(std::string_view kind, std::size_t count) {
  return count == 1 ? std::string(kind) : fmt::format("{}s", kind);
}

Summary Aggregate(std::span<const AggregateInput> inputs, std::string_view kind) {
  const std::vector<Group> issues = GroupByMessage(inputs, Weight::kIssue);
  const std::vector<Group> unknown = GroupByMessage(inputs, Weight::kUnknown);
  Summary summary;
  std::size_t lines_left = kMostLines;
  Tell(summary.message, issues, lines_left, kind, "with other issues");
  Tell(summary.message, unknown, lines_left, kind, "with status unknown");
  if (!issues.empty()) {
    summary.status = Truth::kFalse;
  } else if (!unknown.empty()) {
    summary.status = Truth::kUnknown;
  } else {
    Tell(summary.message, GroupByMessage(inputs, Weight::kInfo), lines_left, kind,
         "with additional info");
  }
  return summary;
}

}  // namespace millwright::dialects::capi
