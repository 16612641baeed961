#include "kube/watch/line_buffer.h"

namespace millwright::kube {

Result<void> LineBuffer::Append(std::string_view bytes) {
  // Only the tail is moved, so the cost is that of the bytes that arrive.
  if (start_ > 0) {
    buffer_.erase(0, start_);
    scanned_ -= start_;
    start_ = 0;
  }
  const std::size_t size = buffer_.size() + bytes.size();
  if (buffer_.capacity() < size + simdjson::SIMDJSON_PADDING) {
    buffer_.reserve(size + size / 2 + simdjson::SIMDJSON_PADDING);
  }
  buffer_.append(bytes);
  if (buffer_.size() > kMaxLine && buffer_.find('\n', scanned_) == std::string::npos) {
    return Fail(ErrorKind::kInvalid, "a watch event is larger than 32 MiB");
  }
  return {};
}

std::optional<simdjson::padded_string_view> LineBuffer::Next() {
  while (true) {
    const std::size_t end = buffer_.find('\n', scanned_);
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      return std::nullopt;
    }
    const std::size_t begin = start_;
    start_ = scanned_ = end + 1;
    if (end == begin) continue;  // an empty line keeps a connection alive
    return simdjson::padded_string_view(buffer_.data() + begin, end - begin,
                                        buffer_.capacity() - begin);
  }
}

}  // namespace millwright::kube
