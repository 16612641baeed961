#include "net/gunzip.h"

#include <algorithm>
#include <new>

namespace millwright::net {

namespace {

constexpr int kGzipOnly = 15 + 16;  // the largest window, and zlib's flag for gzip's header
constexpr std::size_t kStep = std::size_t{16} << 10U;

}  // namespace

Gunzip::Gunzip() {
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&stream_); }

Result<std::size_t> Gunzip::Add(std::string_view input, std::string& out, std::size_t limit) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-*): zlib only reads it
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  stream_.avail_in = static_cast<uInt>(input.size());
  while ((stream_.avail_in > 0 || has_more_) && out.size() < limit) {
    const std::size_t before = out.size();
    const std::size_t room = std::min(kStep, limit - before);
    int code = Z_OK;
    out.resize_and_overwrite(before + room, [&](char* data, std::size_t) {
      stream_.next_out = reinterpret_cast<Bytef*>(data + before);
      stream_.avail_out = static_cast<uInt>(room);
      code = inflate(&stream_, Z_NO_FLUSH);
      return before + room - stream_.avail_out;
    });
    at_end_ = code == Z_STREAM_END;
    has_more_ = stream_.avail_out == 0 && !at_end_;
    if (at_end_) inflateReset(&stream_);  // members may follow one another
    const bool stuck = code == Z_BUF_ERROR && stream_.avail_in > 0;
    if ((code != Z_OK && code != Z_BUF_ERROR && !at_end_) || stuck) {
      return Fail(ErrorKind::kUnavailable, "damaged gzip");
    }
  }
  return input.size() - stream_.avail_in;
}

}  // namespace millwright::net
