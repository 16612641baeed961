// Where log records go.
#pragma once

#include "base/log_record.h"

namespace millwright {

class LogSink {
 public:
  virtual ~LogSink() = default;

  // May be called from any thread that has a Logger. Never fails: a log that cannot be written is
  // not worth stopping for.
  virtual void Write(const LogRecord& record) = 0;
};

enum class LogFormat { kText, kJson };

// A file descriptor of the process, usually standard error. Each record is one write(2), so nothing
// is lost in a crash and lines of several threads do not mix.
class DescriptorSink final : public LogSink {
 public:
  DescriptorSink(int descriptor, LogFormat format, bool colour)
      : descriptor_(descriptor), format_(format), colour_(colour) {}

  void Write(const LogRecord& record) override;

 private:
  const int descriptor_;
  const LogFormat format_;
  const bool colour_;
};

// Colours are for terminals whose user has not refused them. `no_color` is the value of NO_COLOR,
// null if unset; as https://no-color.org has it, an empty value does not count.
bool WantsColour(int descriptor, const char* no_color);

}  // namespace millwright
