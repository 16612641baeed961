// What `millwright tree` shows: who owns whom, down to the nodes, and how each of them is.
#pragma once

#include <boost/json/array.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/seen.h"
#include "cli/text_table.h"

namespace millwright::cli {

struct TreeItem {
  std::string kind;
  std::string namespace_;
  std::string name;
  std::string ready;  // "2/3", "yes"; empty: it says nothing about that
  std::string state;
  Mood mood = Mood::kPlain;
  WallTime created{};
  std::string message;
  std::string detail;  // only when much is wanted: strategy, class
  std::vector<TreeItem> children;

  friend bool operator==(const TreeItem&, const TreeItem&) = default;
};

// The kinds under which a dialect's users know its objects.
struct TreeRules {
  std::string deployment_kind;
  std::string set_kind;
  std::string machine_kind;
  bool instances = false;  // an item of their own
};
TreeRules RulesFor(const dialects::Kinds& kinds, bool instances);

// All deployments, then the sets and machines that have no owner here.
std::vector<TreeItem> BuildForest(const Seen& seen, const TreeRules& rules);

// That of one deployment, set or machine by its name ("workers" or "machineset/workers-1"); none:
// there is nothing of that name.
std::optional<TreeItem> BuildTree(const Seen& seen, const TreeRules& rules, std::string_view name);

TreeItem DeploymentItem(const Seen& seen, const TreeRules& rules,
                        const dialects::DeploymentRecord& deployment);
TreeItem SetItem(const Seen& seen, const TreeRules& rules, const dialects::SetRecord& set,
                 const dialects::DeploymentRecord* owner);
TreeItem MachineItem(const Seen& seen, const TreeRules& rules,
                     const dialects::MachineRecord& machine);

struct TreeStyle {
  bool box_lines = false;  // else ASCII
  bool wide = false;
  bool namespaces = false;
  TableStyle table;
};

std::string RenderTree(std::span<const TreeItem> items, const TreeStyle& style, WallTime now);
boost::json::array TreeJson(std::span<const TreeItem> items);

}  // namespace millwright::cli
