// Structured logging: a constant message and what varies as fields.
//
//   log_.Info("lease acquired", {{"lease", name}, {"attempt", 3}});
//
// The process makes one Log (a simulated process one each) and hands Loggers to what it builds.
// Nothing here is global. Time comes from the Clock, so a simulated run logs the same bytes each
// time.
#pragma once

#include <atomic>
#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/log_level.h"
#include "base/log_record.h"
#include "base/log_sink.h"

namespace millwright {

class Clock;
class Log;

// A cheap value that speaks for one module; it must not outlive its Log. One made by default
// discards everything.
class Logger {
 public:
  Logger() = default;

  // The same module with fields that go before those of each call; a later field of the same name
  // replaces an earlier one. The values are copied.
  Logger With(std::initializer_list<LogField> fields) const;

  // For work that only a log line needs. The calls below ask for themselves, before anything else.
  bool IsEnabled(LogLevel level) const {
    return module_ != nullptr && level >= module_->threshold.load(std::memory_order_relaxed);
  }

  void Debug(LogMessage message, std::initializer_list<LogField> fields = {}) const {
    if (IsEnabled(LogLevel::kDebug)) Write(LogLevel::kDebug, message, fields);
  }
  void Info(LogMessage message, std::initializer_list<LogField> fields = {}) const {
    if (IsEnabled(LogLevel::kInfo)) Write(LogLevel::kInfo, message, fields);
  }
  void Warning(LogMessage message, std::initializer_list<LogField> fields = {}) const {
    if (IsEnabled(LogLevel::kWarning)) Write(LogLevel::kWarning, message, fields);
  }
  void Error(LogMessage message, std::initializer_list<LogField> fields = {}) const {
    if (IsEnabled(LogLevel::kError)) Write(LogLevel::kError, message, fields);
  }

 private:
  friend class Log;

  struct Module {
    std::string name;
    std::atomic<LogLevel> threshold;
  };
  struct Bound;

  Logger(const Log& log, const Module& module) : log_(&log), module_(&module) {}

  void Write(LogLevel level, LogMessage message, std::initializer_list<LogField> fields) const;

  const Log* log_ = nullptr;
  const Module* module_ = nullptr;
  std::shared_ptr<const Bound> bound_;
};

// Joins a sink, a clock and the levels. Safe to use from several threads if sink and clock are.
class Log {
 public:
  Log(LogSink& sink, const Clock& clock, LogLevels levels = {});
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Modules are dotted paths as in src/: "kube.informer".
  Logger For(std::string_view module);

  // Holds at once for all Loggers, also those that exist.
  void SetLevels(LogLevels levels);
  LogLevels levels() const;

 private:
  friend class Logger;

  LogSink& sink_;
  const Clock& clock_;

  mutable std::mutex mutex_;  // guards what follows
  LogLevels levels_;
  std::deque<Logger::Module> modules_;  // Loggers point into it, so it only grows
};

}  // namespace millwright
