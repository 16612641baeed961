// Cuts a stream of bytes into lines, keeping the incomplete tail.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::kube {

class LineBuffer {
 public:
  // An object is at most 1.5 MiB in etcd; an event that is far larger is not from Kubernetes.
  static constexpr std::size_t kMaxLine = 32u << 20;

  // Fails once a line grows past the limit.
  Result<void> Append(std::string_view bytes);

  // The next whole line without its end, valid until the next Append, padded as simdjson wants it.
  std::optional<simdjson::padded_string_view> Next();

  // True if the stream stopped in the middle of a line.
  bool HasTail() const { return start_ < buffer_.size(); }

 private:
  std::string buffer_;
  std::size_t start_ = 0;    // of the first line not handed out
  std::size_t scanned_ = 0;  // no line end before this
};

}  // namespace millwright::kube
