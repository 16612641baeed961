// What `millwright describe` prints: what something is, why it is not as it should be, what it
// owns, and what was said about it lately.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/diagnosis.h"
#include "cli/tree_view.h"
#include "core/model/condition.h"

namespace millwright::cli {

struct EventLine {
  WallTime last{};
  std::string type;
  std::string reason;
  std::string message;
  std::int64_t count = 1;

  friend bool operator==(const EventLine&, const EventLine&) = default;
};

// Events in a list answer, the latest last and no more than `most` of them.
Result<std::vector<EventLine>> ReadEvents(std::string_view list, std::size_t most);

struct Description {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string question;  // "Why it is not ready", answered by the causes
  std::string all_well;  // said if there are none
  std::vector<Cause> causes;
  std::vector<core::Condition> conditions;
  TreeItem tree;
  std::vector<EventLine> events;
};

Description Describe(const Seen& seen, const dialects::Dialect& dialect,
                     const dialects::DeploymentRecord& deployment, WallTime now);
Description Describe(const Seen& seen, const dialects::Dialect& dialect,
                     const dialects::SetRecord& set, WallTime now);
Description Describe(const Seen& seen, const dialects::Dialect& dialect,
                     const dialects::MachineRecord& machine, WallTime now);

std::string RenderDescription(const Description& description, const TreeStyle& style, WallTime now);

}  // namespace millwright::cli
