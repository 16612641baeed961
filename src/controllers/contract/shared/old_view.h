// How soon to look again at what our caches show otherwise than the server does.
#pragma once

#include "base/time.h"

namespace millwright::controllers::contract {

inline constexpr Duration kOldViewPause = std::chrono::seconds(5);

}  // namespace millwright::controllers::contract
