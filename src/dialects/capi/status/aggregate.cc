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
  const AggregateGroup only{kind, inputs};
  return Aggregate(std::span(&only, 1));
}

Summary Aggregate(std::span<const AggregateGroup> kinds) {
  Summary summary;
  std::size_t lines_left = kMostLines;
  bool any_issue = false;
  bool any_unknown = false;
  for (const AggregateGroup& group : kinds) {
    const std::vector<Group> issues = GroupByMessage(group.inputs, Weight::kIssue);
    const std::vector<Group> unknown = GroupByMessage(group.inputs, Weight::kUnknown);
    Tell(summary.message, issues, lines_left, group.kind, "with other issues");
    Tell(summary.message, unknown, lines_left, group.kind, "with status unknown");
    any_issue |= !issues.empty();
    any_unknown |= !unknown.empty();
  }
  if (any_issue) {
    summary.status = Truth::kFalse;
  } else if (any_unknown) {
    summary.status = Truth::kUnknown;
  } else {
    for (const AggregateGroup& group : kinds) {
      Tell(summary.message, GroupByMessage(group.inputs, Weight::kInfo), lines_left, group.kind,
           "with additional info");
    }
  }
  return summary;
}

}  // namespace millwright::dialects::capi
