// Times on objects are of the calendars of others, and ours may be set while we run. A clock that
// nobody sets (`Clock::Elapsed`) says how far they can be believed.
#pragma once

#include <optional>

#include "base/clock.h"

namespace millwright::controllers {

// What is said to have happened at that time, neither earlier nor later than can be: what we saw
// happen did not happen long before we saw it, and nothing happened tomorrow.
WallTime AsCanBe(const Clock& clock, WallTime said, std::optional<SteadyTime> seen);

// How long to wait for a time of the calendar. It may be put right meanwhile, so nobody waits for
// long without another look at it.
Duration WaitFor(WallTime when, WallTime now);

}  // namespace millwright::controllers
