// Log records as lines of text. Pure.
#pragma once

#include <string>

#include "base/log_record.h"

namespace millwright {

// For a person: time, level, module and message in columns, then key=value. Values that are not one
// plain word are quoted as in JSON, so that no value can forge a line or steer the terminal.
std::string RenderText(const LogRecord& record, bool colour);

// For a collector: one JSON object with time, level, module, msg and the fields. Always valid:
// bytes that are not UTF-8 become U+FFFD, and numbers that JSON does not have become text ("NaN").
std::string RenderJson(const LogRecord& record);

}  // namespace millwright
