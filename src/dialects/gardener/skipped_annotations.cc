#include "dialects/gardener/skipped_annotations.h"

#include <algorithm>
#include <array>

#include "dialects/gardener/names.h"

namespace millwright::dialects::gardener {
namespace {

constexpr std::array<std::string_view, 9> kSkipped = {
    annotations::kLastApplied,     annotations::kRevision,        annotations::kRevisionHistory,
    annotations::kDesiredReplicas, annotations::kMaxReplicas,     annotations::kPreferNoSchedule,
    annotations::kUnfreeze,        annotations::kTriggerDeletion, annotations::kState,
};

}  // namespace

bool IsCopied(std::string_view annotation) { return std::ranges::count(kSkipped, annotation) == 0; }

}  // namespace millwright::dialects::gardener
