// Selectors on labels that are not kept as Labels.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "kube/api/labels.h"

namespace millwright::kube {

// Whether the requirement holds for what is under its key; none: nothing is.
bool Holds(const LabelRequirement& requirement, std::optional<std::string_view> value);

// `get` says what is under a key.
template <class Get>
bool MatchesBy(const LabelSelector& selector, Get get) {
  return !selector.IsNothing() &&
         std::ranges::all_of(selector.requirements(), [&](const LabelRequirement& requirement) {
           return Holds(requirement, get(requirement.key));
         });
}

}  // namespace millwright::kube
