// Makes gzip for tests.
#pragma once

#include <zlib.h>

#include <string>

namespace millwright::net {

// Compresses so that each piece can be undone as soon as it is there.
class Deflater {
 public:
  Deflater() { deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY); }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // `flush` is zlib's: Z_SYNC_FLUSH for all so far, Z_FINISH for the end.
  std::string Add(std::string text, int flush) {
    std::string out(deflateBound(&stream_, text.size()) + 256, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    deflate(&stream_, flush);
    out.resize(out.size() - stream_.avail_out);
    return out;
  }

 private:
  z_stream stream_{};
};

inline std::string Gzip(const std::string& text) { return Deflater().Add(text, Z_FINISH); }

}  // namespace millwright::net
