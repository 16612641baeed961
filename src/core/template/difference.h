// What a change of a machine template means: new machines, or the same machines told of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millwright::core {

// Paths of template fields, "spec.class.name"; one stands for all below it as well. What is named
// in both lists goes by the longer path, what is in none by `others_roll`.
struct TemplatePolicy {
  std::vector<std::string> rolls;
  std::vector<std::string> passes;  // handed to existing machines
  bool others_roll = false;
};

struct TemplateDifference {
  std::vector<std::string> roll;  // changed fields that need new machines
  std::vector<std::string> pass;  // changed fields that existing machines get

  bool needs_rollout() const { return !roll.empty(); }

  friend bool operator==(const TemplateDifference&, const TemplateDifference&) = default;
};

TemplateDifference ClassifyDifference(std::span<const std::string> changed,
                                      const TemplatePolicy& policy);

}  // namespace millwright::core
