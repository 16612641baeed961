#include "cli/version.h"

namespace millwright::cli {

std::string VersionText() { return "millwright " MILLWRIGHT_VERSION; }

}  // namespace millwright::cli
