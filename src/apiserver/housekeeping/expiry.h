// What goes by itself when its time is over: events, bootstrap tokens, requests for certificates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/housekeeping/deadlines.h"
#include "apiserver/housekeeping/self.h"
#include "base/log.h"

namespace millwright::apiserver {

// When the object with that key has to go; none: it stays. Pure.
std::optional<WallTime> ExpiryOf(std::string_view key, const boost::json::value& object);

// Driven by what is written, and by the earliest deadline.
class ExpiryController {
 public:
  explicit ExpiryController(const Services& services, Logger log = {})
      : services_(services), log_(log) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  Result<Revision> LookAtAll();
  // False if changes were missed.
  bool TakeNews(Watcher& watcher);
  void Note(const Record& record);
  Task<void> RemoveDue();
  Task<Result<void>> Remove(std::string key, RecordPtr record);

  const Services& services_;
  Logger log_;
  Deadlines deadlines_;  // keys
};

}  // namespace millwright::apiserver
