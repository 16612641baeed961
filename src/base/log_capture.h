// A LogSink for tests.
#pragma once

#include <string>
#include <vector>

#include "base/log_render.h"
#include "base/log_sink.h"

namespace millwright {

// Keeps each record as the line that RenderText gives.
class CapturingSink final : public LogSink {
 public:
  void Write(const LogRecord& record) override { lines_.push_back(RenderText(record, false)); }

  const std::vector<std::string>& lines() const { return lines_; }

  // How many lines have that message.
  std::size_t Count(std::string_view message) const {
    std::size_t count = 0;
    for (const std::string& line : lines_) count += line.contains(message) ? 1 : 0;
    return count;
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace millwright
