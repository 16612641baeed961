// Whether an object is left alone, and how that is shown.
#pragma once

#include "dialects/capi/records.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// Everything under a cluster that is paused is.
bool IsPaused(bool cluster_paused, const Header& object);

// `kind` as it is written, "Machine".
Shown PausedShown(bool cluster_paused, const Header& object, std::string_view kind);

struct PausePlan {
  bool paused = false;
  bool write = false;  // the condition is new or says something else
};

// What to do first in each pass. A pause is written alone, and ends the pass; that there is none is
// written with the rest.
PausePlan PlanPause(bool cluster_paused, const Header& object, std::string_view kind,
                    const Conditions& conditions);

}  // namespace millwright::dialects::capi
