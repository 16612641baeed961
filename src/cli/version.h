#pragma once

#include <string>

namespace millwright::cli {

// "millwright 0.1.0".
std::string VersionText();

}  // namespace millwright::cli
