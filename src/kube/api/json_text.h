// JSON text from outside to a tree, with limits, and short ways to read single values of a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

struct JsonLimits {
  // Lists of large fleets are the largest texts we read; a server sets far less for requests.
  size_t max_bytes = size_t{256} << 20;

  // Far above any real object (the deepest CRD schemas have about 60 levels), far below what a
  // recursive walk over the tree can take from the stack.
  size_t max_depth = 1000;

  // What Kubernetes calls strict: a key that occurs twice in an object is an error. Otherwise the
  // last one wins.
  bool refuse_duplicate_keys = false;
};

// Exactly one JSON value, in valid UTF-8. Numbers come out as int64 where they are whole and fit
// (also when written 3.0 or 3e0, because Kubernetes writes such numbers back as 3), else as uint64,
// else as the nearest double. Fails with kInvalid and the offset, or the path of a duplicate key;
// never shows the text itself, which may hold secrets.
Result<boost::json::value> ParseJson(std::string_view text, const JsonLimits& limits = {});

// The value at a path of object members ("spec.template.metadata"), or null if something is missing
// on the way. Keys that contain dots cannot be reached this way.
const boost::json::value* Find(const boost::json::value& root, std::string_view path);

// The value at a path if it is there and of the type, else the fallback (or null). Views live as
// long as the tree.
std::string_view GetString(const boost::json::value& root, std::string_view path,
                           std::string_view fallback = {});
int64_t GetInt(const boost::json::value& root, std::string_view path, int64_t fallback = 0);
bool GetBool(const boost::json::value& root, std::string_view path, bool fallback = false);
const boost::json::object* GetObject(const boost::json::value& root, std::string_view path);
const boost::json::array* GetArray(const boost::json::value& root, std::string_view path);

}  // namespace millwright::kube
