#include "apiserver/server/gzip.h"

#include <zlib.h>

#include <string>

namespace millwright::apiserver {

namespace {

constexpr std::size_t kWorthIt = std::size_t{128} << 10U;
constexpr int kFastest = 1;
constexpr int kGzipWindow = 15 + 16;  // zlib's way to say gzip
constexpr int kMemoryLevel = 8;

}  // namespace

bool AcceptsGzip(std::string_view accept_encoding) {
  const auto at = accept_encoding.find("gzip");
  return at != accept_encoding.npos && !accept_encoding.substr(at).starts_with("gzip;q=0,") &&
         accept_encoding.substr(at) != "gzip;q=0";
}

void CompressBody(net::HttpResponse& response) {
  if (response.body.size() < kWorthIt || response.headers.Find("Content-Encoding")) return;
  z_stream stream{};
  if (deflateInit2(&stream, kFastest, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return;
  }
  std::string packed(deflateBound(&stream, response.body.size()), '\0');
  // zlib reads only, whatever its type says.
  stream.next_in = reinterpret_cast<Bytef*>(response.body.data());
  stream.avail_in = static_cast<uInt>(response.body.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!done) return;
  response.body = std::move(packed);
  response.headers.Set("Content-Encoding", "gzip");
  response.headers.Add("Vary", "Accept-Encoding");
}

}  // namespace millwright::apiserver
