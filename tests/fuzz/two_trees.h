// Cuts the input of a fuzz target at its first zero byte into two JSON texts: a document and a
// patch.
#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "kube/api/json_text.h"

namespace millwright::fuzz {

inline std::optional<std::pair<boost::json::value, boost::json::value>> TwoTrees(
    const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t cut = text.find('\0');
  if (cut == text.npos) return std::nullopt;
  auto first = kube::ParseJson(text.substr(0, cut));
  auto second = kube::ParseJson(text.substr(cut + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*std::move(first), *std::move(second));
}

}  // namespace millwright::fuzz
