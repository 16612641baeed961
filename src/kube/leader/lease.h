// The Lease that says who leads, and the rules for taking and keeping it. Pure.
//
// Fields and timing are client-go's, so that we and it can stand for election against each other.
// It is a hint and not a guard: two leaders at once must be harmless.
#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>

#include "base/time.h"

namespace millwright::kube {

struct LeaseRecord {
  std::string holder;
  std::int32_t duration_seconds = 0;
  WallTime acquired{};
  WallTime renewed{};
  std::int32_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

struct LeaseTiming {
  Duration lease_duration = std::chrono::seconds(15);
  Duration renew_deadline = std::chrono::seconds(10);
  Duration retry_period = std::chrono::seconds(2);
};

// What we last saw and since when, by our own clock: others' clocks may be wrong, so the age of a
// lease is the time for which *we* have seen it unchanged.
struct Observation {
  LeaseRecord record;
  SteadyTime since{};
};

enum class LeaseStep {
  kCreate,  // there is none
  kTake,    // it is free, or its holder has not renewed it for its whole duration
  kRenew,   // it is ours
  kWait,    // somebody else has it
};

LeaseStep PlanLease(const std::optional<Observation>& seen, const std::string& identity,
                    SteadyTime now);

// The record to write for kCreate, kTake and kRenew.
LeaseRecord NextRecord(LeaseStep step, const std::optional<Observation>& seen,
                       const std::string& identity, const LeaseTiming& timing, WallTime now);

// The record to write when we step down: free for the next at once.
LeaseRecord ReleasedRecord(const LeaseRecord& ours, WallTime now);

// Between a Lease object's spec and a record. A spec that makes no sense reads as a free lease.
LeaseRecord RecordOf(const boost::json::value& lease);
boost::json::value SpecOf(const LeaseRecord& record);

}  // namespace millwright::kube
