#include "apiserver/discovery/document.h"

#include <algorithm>
#include <ranges>

#include "apiserver/discovery/accept.h"
#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/pack.h"

namespace millwright::apiserver {

namespace {

constexpr std::size_t kWorthPacking = std::size_t{16} << 10U;

// The header's list of tags; a weak one serves as well.
bool HasTag(std::string_view header, std::string_view tag) {
  for (const auto part : std::views::split(header, ',')) {
    std::string_view one(part.begin(), part.end());
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return true;
  }
  return false;
}

bool TakesGzip(const net::HttpRequest& request) {
  const auto header = request.headers.Find("Accept-Encoding");
  if (!header) return false;
  return std::ranges::any_of(ParseAccept(*header),
                             [](const MediaRange& range) { return range.type == "gzip"; });
}

}  // namespace

Document MakeDocument(std::string_view media_type, std::string text) {
  Document document{.media_type = std::string(media_type), .digest = Digest(text), .text = {}};
  document.packed = text.size() >= kWorthPacking;
  document.text = document.packed ? Gzip(text) : std::move(text);
  return document;
}

std::string Unpack(const Document& document) {
  return document.packed ? GunzipWhole(document.text) : document.text;
}

net::HttpResponse Respond(const Document& document, const net::HttpRequest& request) {
  net::HttpResponse response{.status = 200, .headers = {}, .body = {}};
  const std::string tag = "\"" + document.digest + "\"";
  response.headers.Set("Etag", tag);
  response.headers.Add("Vary", "Accept");
  if (document.packed) response.headers.Add("Vary", "Accept-Encoding");
  if (HasTag(request.headers.Find("If-None-Match").value_or(""), tag)) {
    response.status = 304;
    return response;
  }
  response.headers.Set("Content-Type", document.media_type);
  if (document.packed && TakesGzip(request)) {
    response.headers.Set("Content-Encoding", "gzip");
    response.body = document.text;
  } else {
    response.body = Unpack(document);
  }
  return response;
}

const Document& DocumentCache::Get(const std::string& key, Resources made_of, const Make& make) {
  Entry& entry = entries_[key];
  if (entry.document.digest.empty() || entry.made_of != made_of) {
    entry = {.made_of = std::move(made_of), .document = make()};
  }
  return entry.document;
}

void DocumentCache::KeepOnly(const std::function<bool(const std::string& key)>& wanted) {
  std::erase_if(entries_, [&](const auto& entry) { return !wanted(entry.first); });
}

}  // namespace millwright::apiserver
