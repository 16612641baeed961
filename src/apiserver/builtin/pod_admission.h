// What every pod gets on its way in.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

namespace millwright::apiserver::builtin {

// Priority, and tolerations of nodes that are not ready or out of reach for five minutes.
void AdmitNewPod(boost::json::object& pod);
// The same for a change; the priority stays.
void AdmitChangedPod(const boost::json::object& old, boost::json::object& pod);

// "Guaranteed", "Burstable" or "BestEffort".
std::string_view QosClass(const boost::json::object& pod_spec);

}  // namespace millwright::apiserver::builtin
