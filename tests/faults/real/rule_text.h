// Rules of a FaultScript as JSON, for a test in another language.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "tests/faults/script.h"

namespace millwright::faults {

// {"fault": "error", "method": "write", "target": "/machines", "skip": 0, "times": 1,
//  "status": 503, "retryAfter": 1, "seconds": 2.5, "pieces": 0}; all but `fault` may be left out.
Result<FaultRule> ReadFaultRule(const boost::json::object& text);

}  // namespace millwright::faults
