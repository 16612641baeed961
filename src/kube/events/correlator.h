// Turns what controllers say into few, useful Events. Pure.
//
// The same thing said again raises a count; many similar things become one; an object that never
// stops talking is cut off for a while. Limits are client-go's, so that people see what they know.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "kube/api/object.h"
#include "kube/workqueue/rate_limiter.h"

namespace millwright::kube {

enum class EventSeverity { kNormal, kWarning };

struct ObjectReference {
  std::string api_version;
  std::string kind;
  ObjectKey key;
  Uid uid;

  friend auto operator<=>(const ObjectReference&, const ObjectReference&) = default;
};

struct EventNote {
  ObjectReference about;
  EventSeverity severity = EventSeverity::kNormal;
  std::string reason;   // one stable word in CamelCase
  std::string message;  // for people; at most 1 KiB is kept
  std::string action;   // events.k8s.io only: what was tried
};

struct CorrelatorOptions {
  int burst_per_object = 25;
  Duration refill = std::chrono::minutes(5);  // one more Event about an object after each of these
  int similar_limit = 10;  // distinct messages of one reason before they are combined
  Duration similar_window = std::chrono::minutes(10);
  std::size_t capacity = 4096;  // recent subjects remembered; the oldest go first
};

// What to write.
struct EventWrite {
  bool create = true;  // else patch the one of that name
  std::string name;    // of the Event object
  EventNote note;
  std::int32_t count = 1;
  WallTime first{};
  WallTime last{};
};

class Correlator {
 public:
  explicit Correlator(CorrelatorOptions options = {}) : options_(options) {}

  // None: this object has said too much.
  std::optional<EventWrite> Add(EventNote note, SteadyTime now, WallTime wall);

  // The Event was not there any more (its time to live is an hour): the next one is created anew.
  void Forget(const EventWrite& write);

 private:
  struct Recorded {
    std::string name;
    std::int32_t count = 0;
    WallTime first{};
    SteadyTime last{};
  };
  struct Similar {
    std::map<std::string, bool> messages;
    SteadyTime since{};
  };
  struct Subject {
    TokenBucket bucket;
    std::map<std::string, Recorded> recorded;  // by severity, reason and message
    std::map<std::string, Similar> similar;    // by severity and reason
    std::list<ObjectReference>::iterator age;
  };

  Subject& SubjectOf(const ObjectReference& about);
  void Combine(Subject& subject, EventNote& note, SteadyTime now) const;

  const CorrelatorOptions options_;
  std::map<ObjectReference, Subject> subjects_;
  std::list<ObjectReference> by_age_;  // least recently used first
  WallTime last_name_{};               // names are made of times
};

}  // namespace millwright::kube
