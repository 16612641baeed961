// "%s has %d items".format([...])
#pragma once

#include <string>
#include <string_view>

#include "kube/cel/functions.h"

namespace millwright::kube::cel {

Result<std::string> FormatText(std::string_view pattern, const List& arguments, Budget& budget);

}  // namespace millwright::kube::cel
