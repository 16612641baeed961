// No request is sent over and over: so many times a minute at most, whatever
// goes wrong.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace millwright::sim {

class RequestLimits {
 public:
  // What was sent too often, told once for each minute.
  std::optional<std::string> Add(std::string_view method, std::string_view path, SteadyTime now);

 private:
  SteadyTime minute_{};
  std::map<std::string, int> counts_;
};

}  // namespace millwright::sim
