// Writes Events in the background. Saying something never waits and never fails.
#pragma once

#include <deque>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/signal.h"
#include "kube/client/client.h"
#include "kube/events/correlator.h"

namespace millwright::kube {

enum class EventsApi { kCore, kEventsK8sIo };

struct RecorderOptions {
  std::string component;             // who says it
  std::string instance;              // reportingInstance: this process
  EventsApi api = EventsApi::kCore;  // what the dialect's users look at
  std::size_t queue_limit = 1000;    // further ones are dropped and counted
  CorrelatorOptions correlator;
};

// The Event object for a write, and the patch that raises its count.
std::string EventBody(const EventWrite& write, const RecorderOptions& options);
std::string EventCountPatch(const EventWrite& write, const RecorderOptions& options);

class Recorder {
 public:
  Recorder(const Executor& executor, Client& client, Clock& clock, Logger log,
           RecorderOptions options);

  void Record(EventNote note);

  // Writes until cancelled, then tries what is left once, as long as the server can be reached.
  Task<void> Run();

  std::uint64_t dropped() const { return dropped_; }

 private:
  EventWrite TakeFirst();
  Task<void> Write(EventWrite write);
  Task<void> Flush();
  void Drop(const EventWrite& write, const Error& error);
  Task<Result<void>> TryOnce(EventWrite& write);
  Task<Result<void>> Send(const EventWrite& write);

  Client& client_;
  Clock& clock_;
  Logger log_;
  const RecorderOptions options_;
  Correlator correlator_;
  std::deque<EventWrite> queue_;
  std::uint64_t dropped_ = 0;
  Signal changed_;
};

}  // namespace millwright::kube
