#include "core/template/difference.h"

#include <algorithm>

namespace millwright::core {
namespace {

bool Covers(std::string_view path, std::string_view field) {
  if (!field.starts_with(path)) return false;
  return field.size() == path.size() || field[path.size()] == '.';
}

// The length of the longest path that covers the field; 0: none does.
size_t Match(const std::vector<std::string>& paths, std::string_view field) {
  size_t longest = 0;
  for (const std::string& path : paths) {
    if (Covers(path, field)) longest = std::max(longest, path.size());
  }
  return longest;
}

}  // namespace

TemplateDifference ClassifyDifference(std::span<const std::string> changed,
                                      const TemplatePolicy& policy) {
  TemplateDifference difference;
  for (const std::string& field : changed) {
    const size_t rolls = Match(policy.rolls, field);
    const size_t passes = Match(policy.passes, field);
    const bool roll = rolls == passes ? policy.others_roll : rolls > passes;
    (roll ? difference.roll : difference.pass).push_back(field);
  }
  return difference;
}

}  // namespace millwright::core
