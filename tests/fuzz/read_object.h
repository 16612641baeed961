// An object's text, read as an informer reads it.
#pragma once

#include <string>
#include <utility>

#include "kube/projection/json_reader.h"

namespace millwright::fuzz {

// `read` takes the object and returns a Result.
template <class Read>
auto ReadObject(const std::string& text, Read read)
    -> decltype(read(std::declval<kube::JsonObject>())) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) {
    return Failure(kube::JsonError(code));
  }
  kube::JsonObject object;
  if (const auto code = document.get_object().get(object)) return Failure(kube::JsonError(code));
  return read(object);
}

}  // namespace millwright::fuzz
