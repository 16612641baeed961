// Keeps a view of one kind up to date: list, then watch, for ever.
//
// Where the server can, the list comes as a watch (WatchList), so no list body is ever held. A
// watch that ends is resumed where it stopped; one that is silent for too long is cut and resumed;
// only when the server has forgotten that place (410) is everything listed again. A list that is
// older than what we have seen is refused: time does not go back. Unless for minutes there is none
// but such lists: then the server was restored from a backup, and we follow it.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/signal.h"
#include "kube/client/client.h"
#include "kube/watch/event.h"

namespace millwright::kube {

// Receives the view.
class ReflectorSink {
 public:
  virtual ~ReflectorSink() = default;

  // The server was set back to an earlier state: versions that were seen before say nothing about
  // what follows, which is a list.
  virtual void StartOver() {}

  // A whole state follows: what is not upserted before EndList is gone.
  virtual void BeginList() = 0;
  virtual void EndList(const ResourceVersion& version) = 0;

  // The current state of one object, or the last one of a deleted object. They return its resource
  // version, or an error if not even its identity can be read.
  virtual Result<ResourceVersion> Upsert(JsonObject object) = 0;
  virtual Result<ResourceVersion> Remove(JsonObject object) = 0;

  // All changes up to this version have been delivered.
  virtual void Progress(const ResourceVersion& version) = 0;
};

struct ReflectorOptions {
  GroupVersionResource resource;
  std::string namespace_;
  std::string label_selector;
  std::string field_selector;
  bool metadata_only = false;

  bool watch_list = true;  // try WatchList; falls back by itself where the server refuses
  std::int64_t page_size = 500;

  // The server is asked to end each watch after between one and two times this, so that a fleet of
  // clients does not come back all at once.
  std::chrono::seconds watch_timeout = std::chrono::minutes(5);

  // A healthy server sends a bookmark every minute. A watch that says nothing for longer is taken
  // for dead; resuming costs one request.
  Duration stall_timeout = std::chrono::seconds(75);

  // A list that is older than what was seen is refused for so long.
  Duration accept_older_after = std::chrono::minutes(5);

  Duration retry_base = std::chrono::milliseconds(100);
  Duration retry_max = std::chrono::seconds(30);
  Duration unreachable_retry_max = std::chrono::seconds(2);
};

struct ReflectorStats {
  std::uint64_t lists = 0;    // whole states asked for
  std::uint64_t watches = 0;  // watches opened, WatchLists included
  std::uint64_t stalls = 0;   // watches cut because they were silent
  std::uint64_t events = 0;   // changes delivered
};

// How an attempt went, and what to do next; the rule is pure and has a table test of its own.
struct AttemptFacts {
  bool resumed = false;      // it went on from a known place instead of listing
  bool watch_list = false;   // it asked for a WatchList, whose end has not come
  bool opened = false;       // the server began to answer its watch
  bool saw_changes = false;  // after the list, anything came at all
  bool stalled = false;      // its watch fell silent, and we cut it
  bool lasted = false;       // its watch was open for some seconds
  bool again = false;        // the WatchList before it did not come to its end either
};
enum class Pause {
  kNone,
  kUntilReachable,  // nobody answers: asking costs little, and somebody waits for the answer
  kBackOff,         // the server answers, and what it says is no: each time ask later
};
struct NextAttempt {
  bool relist = false;              // forget where we were
  bool without_watch_list = false;  // this server has no WatchList
  Pause pause = Pause::kNone;       // before the next try

  friend bool operator==(const NextAttempt&, const NextAttempt&) = default;
};
NextAttempt PlanNextAttempt(const Result<void>& outcome, const AttemptFacts& facts);

class Reflector {
 public:
  Reflector(Client& client, Clock& clock, Random& random, Logger log, ReflectorOptions options,
            ReflectorSink& sink);

  // Runs until cancelled.
  Task<void> Run();

  const ReflectorStats& stats() const { return stats_; }

 private:
  Task<Result<void>> Attempt();
  void BeginList();
  void StartOver();
  Task<Result<void>> ListPages();
  Task<Result<void>> Watch(bool initial_events);
  Task<void> Consume(WatchOptions options, Result<void>& outcome, bool& ended, Signal& signal);
  Task<Result<void>> ReadEvents(WatchOptions options);
  Result<void> Deliver(EventType type, JsonObject object);
  Result<void> FinishList(ResourceVersion version);
  void Remember(ResourceVersion version);
  void Follow(const NextAttempt& next);
  Duration DelayFor(Pause pause);

  Client& client_;
  Clock& clock_;
  Random& random_;
  Logger log_;
  const ReflectorOptions options_;
  ReflectorSink& sink_;

  EventParser parser_;
  ResourceVersion resume_from_;    // empty: a list is needed
  ResourceVersion newest_seen_;    // guards against a server that shows us the past
  ResourceVersion newest_listed_;  // by the list that is under way, or that stopped half-way
  std::optional<SteadyTime> older_since_;  // lists have been older than what we saw
  bool watch_list_;
  bool listing_ = false;  // between BeginList and EndList
  AttemptFacts attempt_;
  int refusals_ = 0;          // one after the other
  int unreachable_ = 0;       // tries, one after the other
  bool half_listed_ = false;  // the last WatchList did not come to its end
  SteadyTime opened_{};       // when the server began to answer the watch
  SteadyTime last_activity_{};
  ReflectorStats stats_;
};

}  // namespace millwright::kube
