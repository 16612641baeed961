// The command line as the program understands it, whatever name it was started under.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace millwright::cli {

// The words after the program's name. Started as machine-controller-manager or machine-controller
// it is that program: all its words are flags of "controller". The flags of "controller" are its
// dialect's business, so a "--" comes before them.
std::vector<std::string> CommandWords(std::span<const char* const> arguments);

}  // namespace millwright::cli
