#include "apiserver/discovery/pack.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace millwright::apiserver {

namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to say gzip
constexpr int kMemoryLevel = 8;
// Made once, sent often; and these texts repeat themselves so much that more effort finds little.
constexpr int kLevel = 4;

// zlib reads only, whatever its type says.
Bytef* Bytes(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

// gzip ends with the length of the text, lowest byte first.
std::size_t PlainSize(std::string_view packed) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    size |= std::size_t{static_cast<std::uint8_t>(packed[packed.size() - 4 + i])} << (8 * i);
  }
  return size;
}

}  // namespace

std::string Gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = Bytes(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = Bytes(packed);
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  packed.shrink_to_fit();
  return packed;
}

std::string GunzipWhole(std::string_view packed) {
  std::string text(PlainSize(packed), '\0');
  z_stream stream{};
  inflateInit2(&stream, kGzipWindow);
  stream.next_in = Bytes(packed);
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = Bytes(text);
  stream.avail_out = static_cast<uInt>(text.size());
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::logic_error("a packed document is damaged");
  return text;
}

}  // namespace millwright::apiserver
