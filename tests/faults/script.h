// Which requests are to go wrong, and how. Pure: the same script drives the proxy before a real
// server and the simulator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace millwright::faults {

struct RequestFacts {
  std::string method;
  std::string target;

  bool IsWrite() const { return method != "GET" && method != "HEAD"; }
  bool IsWatch() const { return target.find("watch=true") != std::string::npos; }
};

enum class Fault {
  kDelay,       // held up, then let through
  kRefuse,      // the connection is cut before the server hears of it
  kLoseAnswer,  // the server carries it out; its answer never arrives
  kError,       // answered with `status` (and Retry-After) by us; the server does not hear of it
  kStale,       // a read is answered as the same read was answered the first time
  kCut,     // a stream ends after `pieces` pieces, in the middle of one; an answer in its middle
  kFreeze,  // a stream says nothing more after `pieces` pieces but stays open: half-open; an
            // answer never begins
  kRepeat,  // each event of a stream comes twice
};

struct FaultAction {
  Fault fault = Fault::kDelay;
  Duration delay{};
  int status = 503;
  std::optional<int> retry_after_seconds;
  std::size_t pieces = 0;

  friend bool operator==(const FaultAction&, const FaultAction&) = default;
};

// Applies to requests that match, after the first `skip` of them, `times` times (-1: for ever).
struct FaultRule {
  std::string method;           // empty: any; "write": any that changes something
  std::string target_contains;  // empty: any
  int skip = 0;
  int times = 1;
  FaultAction action;
};

class FaultScript {
 public:
  void Add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  void Clear() { rules_.clear(); }

  // What happens to this request: the action of the first rule that applies to it. Counts.
  std::optional<FaultAction> Next(const RequestFacts& request);

  // How often any rule has applied.
  int applied() const { return applied_; }

 private:
  std::vector<FaultRule> rules_;
  int applied_ = 0;
};

}  // namespace millwright::faults
