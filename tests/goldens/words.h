// Our reasons in the words of the records.
#pragma once

#include <string>
#include <vector>

#include "core/rollout/reason.h"

namespace millwright::goldens {

std::string InTheirWords(const std::vector<core::RolloutReason>& reasons, bool on_delete);

std::string Join(const std::vector<std::string>& names);
std::vector<std::string> SplitNames(const std::string& text);
bool Contains(const std::vector<std::string>& names, const std::string& name);

// 12 for "m12".
int NumberOf(const std::string& name);

}  // namespace millwright::goldens
