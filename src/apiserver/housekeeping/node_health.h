// What becomes of a node that is silent or unwell. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/time.h"

namespace millwright::apiserver {

// "True", "False", "Unknown", or empty if the node has not said.
std::string_view ReadyStatus(const boost::json::value& node);

// Changes whenever the node has written its status; its creation where it never has.
std::string_view HeartbeatOf(const boost::json::value& node);

// Says of all that the node itself reports that it is not known any more.
void MarkUnknown(boost::json::value& node, WallTime now);

enum class MayEvict { kNo, kYes };

// Gives the node the taints that its conditions ask for, and takes those that they no longer ask
// for. False if it has them already. A node that has not said whether it is ready keeps the taints
// it was born with. Pods are driven out (NoExecute) only where that is allowed.
bool FitTaints(boost::json::value& node, MayEvict evict, WallTime now);

struct Taint {
  std::string key;
  std::string value;
  std::string time_added;

  friend bool operator==(const Taint&, const Taint&) = default;
};

// Those that drive pods out.
std::vector<Taint> NoExecuteTaints(const boost::json::value& node);

}  // namespace millwright::apiserver
