// A template both ways: as it is written, and as it is understood.
#pragma once

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::capi {

Result<void> ReadWholeTemplate(kube::JsonValue value, kube::TextPool& texts, kube::SharedText& text,
                               MachineTemplate& target);

}  // namespace millwright::dialects::capi
