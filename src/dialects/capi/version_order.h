// Versions of a kind in the order in which Kubernetes prefers them: v2, v1, v1beta2, v1beta1,
// v1alpha1, and last what is not of that form, by name.
#pragma once

#include <string_view>

namespace millwright::dialects::capi {

bool IsPreferredVersion(std::string_view a, std::string_view b);

}  // namespace millwright::dialects::capi
