#include "base/log_sink.h"

#include <unistd.h>

#include <cerrno>

#include "base/log_render.h"

namespace millwright {

void DescriptorSink::Write(const LogRecord& record) {
  const std::string line =
      format_ == LogFormat::kJson ? RenderJson(record) : RenderText(record, colour_);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool WantsColour(int descriptor, const char* no_color) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  return !refused && ::isatty(descriptor) == 1;
}

}  // namespace millwright
