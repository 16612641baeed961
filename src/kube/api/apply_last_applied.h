// Moving from client-side to server-side apply: the annotation that kubectl keeps.
#pragma once

#include <optional>

#include <boost/json/value.hpp>

#include "kube/api/apply.h"
#include "kube/api/field_set.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

// Fields that client-side apply has set and nobody changed since. When kubectl goes over to
// server-side apply it may take them over without a conflict. None if there is no annotation to go
// by.
std::optional<FieldSet> AppliedByClient(const Shape& shape, const boost::json::value& live,
                                        const std::string& api_version);

// Writes the configuration into the annotation, if the object has it, so that going back to
// client-side apply finds what was last applied.
void RefreshLastApplied(const boost::json::value& configuration, boost::json::value& object);

// Both are for kubectl only; who does not want them applies under another name.
bool MovesFromClientSide(const FieldWriter& writer);

}  // namespace millwright::kube
