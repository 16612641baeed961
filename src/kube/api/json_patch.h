// JSON Patch (RFC 6902): a list of operations, all carried out or none.
#pragma once

#include <cstddef>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

struct JsonPatchOptions {
  // What kube-apiserver allows beyond the RFC, and clients of the embedded server rely on: a
  // replace may add a missing member of an object, and a test for null holds for one.
  bool lenient = false;

  size_t max_operations = 10'000;  // as kube-apiserver

  // What copies and moves may carry together, in bytes of JSON. Without it, a short patch that
  // copies the document into itself again and again would double it each time.
  size_t max_carried_bytes = size_t{3} << 20;

  size_t max_depth = 1000;  // of the document at any time
};

// The document after all operations. Fails with kInvalid, naming the number and path of the
// operation that could not be done, the first being number 0. Tests compare numbers by value.
Result<boost::json::value> ApplyJsonPatch(boost::json::value document,
                                          const boost::json::value& patch,
                                          const JsonPatchOptions& options = {});

}  // namespace millwright::kube
