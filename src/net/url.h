// Request targets: "/api/v1/nodes/a%20b?limit=1&watch" taken apart and put together. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millwright::net {

struct QueryParameter {
  std::string key;
  std::string value;

  friend bool operator==(const QueryParameter&, const QueryParameter&) = default;
};

struct Target {
  // Decoded, in order. A slash at the end adds none, as in Kubernetes; one that was escaped is part
  // of its segment. Nothing is done to "." and "..".
  std::vector<std::string> segments;
  // Decoded, in order; keys may repeat.
  std::vector<QueryParameter> query;

  // The first value of that key; empty text for a key without one ("?watch").
  std::optional<std::string_view> Find(std::string_view key) const;

  friend bool operator==(const Target&, const Target&) = default;
};

// Accepts what a request line may carry: a path with a query, or a whole http(s) URL, of which the
// host is dropped. Fails with kInvalid on bad escapes, control characters (also escaped ones in the
// path) and fragments.
Result<Target> ParseTarget(std::string_view text);

// The text that ParseTarget takes apart into the same value, if no segment is empty.
std::string FormatTarget(const Target& target);

// Escapes all but RFC 3986's unreserved characters: good for one segment, one key, one value.
std::string PercentEncode(std::string_view text);

// Fails with kInvalid on a '%' that two hexadecimal digits do not follow.
Result<std::string> PercentDecode(std::string_view text);

}  // namespace millwright::net
