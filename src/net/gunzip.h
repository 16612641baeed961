// Undoes gzip as it comes in. Pure.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::net {

class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // Appends to `out` until it has `limit` bytes or the input is used up; returns how much of the
  // input was used. kUnavailable if it is damaged.
  Result<std::size_t> Add(std::string_view input, std::string& out, std::size_t limit);

  // True if the limit may have kept something back: call again with whatever input there is.
  bool has_more() const { return has_more_; }

  // True before the first byte, and after a whole member: the text may end here.
  bool at_end() const { return at_end_; }

 private:
  z_stream stream_{};
  bool has_more_ = false;
  bool at_end_ = true;
};

}  // namespace millwright::net
