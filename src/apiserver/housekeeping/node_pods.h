// What becomes of the pods of a node that is silent or unwell. Pure.
#pragma once

#include <optional>
#include <span>

#include <boost/json/value.hpp>

#include "apiserver/housekeeping/node_health.h"
#include "base/time.h"

namespace millwright::apiserver {

// Says that the pod is not ready: nobody should be sent to it. False if it says so already, or says
// nothing at all.
bool MarkPodNotReady(boost::json::value& pod, WallTime now);

// Says why the pod is about to go.
void MarkDrivenOut(boost::json::value& pod, WallTime now);

// When the pod has to leave its node; none if it tolerates all of the taints for ever.
std::optional<WallTime> LeaveTime(const boost::json::value& pod, std::span<const Taint> taints,
                                  WallTime now);

}  // namespace millwright::apiserver
