// What goes wrong in a run: crashes at chosen points, and a network and a cloud
// that fail by chance.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/random.h"
#include "base/time.h"

namespace millwright::sim {

class Branches;

// A point is a write or a call to the cloud; they are numbered in the order in
// which they come.
struct CrashPoint {
  int point = 0;
  bool after = false;  // it takes effect, and nobody learns of it

  friend auto operator<=>(const CrashPoint&, const CrashPoint&) = default;
};

// Chances of each request or call, in thousandths. All zero: nothing fails.
struct Chances {
  int refused = 0;
  int answer_lost = 0;
  int conflict = 0;      // 409
  int throttled = 0;     // 429
  int server_error = 0;  // 500 before the effect
  int slow = 0;          // the answer comes late
  int crash = 0;         // before or after it
  int cut_streams = 0;
  int cloud_fails = 0;  // before the effect
  int cloud_answer_lost = 0;
  bool varied = false;  // server errors of all kinds, and 429 that says when to come again

  bool none() const { return *this == Chances{}; }
  friend bool operator==(const Chances&, const Chances&) = default;
};

struct FaultPlan {
  std::set<CrashPoint> crashes;
  // After so many handlers of the first process: crashes between any two awaits.
  std::set<std::uint64_t> crash_steps;
  Chances chances;
  // Of the faults that chance brings, numbered by its draws, only these. None:
  // all of them.
  std::optional<std::set<std::uint64_t>> only;
  Duration restart_after = std::chrono::seconds(1);
  Branches* branches = nullptr;  // asked at each place, if there

  // The crashes, as sim_run takes them.
  std::string ToString() const;
};

}  // namespace millwright::sim
