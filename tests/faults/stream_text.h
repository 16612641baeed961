// The text of a watch, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millwright::faults {

// Each with its end; what has no end yet is left out.
std::vector<std::string_view> WholeLines(std::string_view text);

// Every whole line twice; what is left over waits in `tail` for its end.
std::string EachLineTwice(std::string_view piece, std::string& tail);

}  // namespace millwright::faults
