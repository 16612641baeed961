// The parts of a shown status that sets and deployments have alike, as series.
#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

#include "controllers/metrics/families.h"
#include "kube/api/object.h"

namespace millwright::controllers {

// The labels of a machine that a set or deployment shows as failed.
inline constexpr LabelNames kFailedMachineLabels{
    "name",
    "namespace",
    "failed_machine_name",
    "failed_machine_provider_id",
    "failed_machine_owner_ref",
    "failed_machine_last_operation_state",
    "failed_machine_last_operation_machine_operation_type"};

// A status or template as JSON; null if it cannot be read.
boost::json::value ParseShown(std::string_view text);

void AddConditions(GaugeFamily& family, const kube::ObjectKey& key,
                   const boost::json::value& status);
void AddFailedMachines(GaugeFamily& family, const kube::ObjectKey& key,
                       const boost::json::value& status);

}  // namespace millwright::controllers
