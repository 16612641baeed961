// The provider spec of a simulated machine class.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "providers/simulated/fault.h"

namespace millwright::providers {

// {"zone": "a", "createSeconds": 2, "bootSeconds": 40, "pendingSeconds": 5,
//  "capacity": {"cpu": "4"}, "labels": {"disk": "fast"},
//  "fail": {"create": {"code": "ResourceExhausted", "probability": 0.1}}}
// Everything may be left out.
struct ClassSpec {
  std::string zone = "zone-1";
  std::optional<Duration> create;               // until the VM is made; none: the cloud's own
  std::optional<Duration> boot;                 // until its node joins; likewise
  Duration pending{};                           // how long a new instance is "not there yet"
  std::map<std::string, std::string> capacity;  // of the node
  std::map<std::string, std::string> labels;    // likewise
  std::vector<FaultRule> faults;

  friend bool operator==(const ClassSpec&, const ClassSpec&) = default;
};

// Empty text is the empty spec. The error names every field that is wrong or unknown.
Result<ClassSpec> ParseClassSpec(std::string_view json);

}  // namespace millwright::providers
