#include "net/http.h"

#include <algorithm>
#include <cctype>

namespace millwright::net {

namespace {

bool SameName(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

void Headers::Set(std::string name, std::string value) {
  std::erase_if(fields_, [&](const auto& field) { return SameName(field.first, name); });
  Add(std::move(name), std::move(value));
}

std::optional<std::string_view> Headers::Find(std::string_view name) const {
  const auto it =
      std::ranges::find_if(fields_, [&](const auto& field) { return SameName(field.first, name); });
  if (it == fields_.end()) return std::nullopt;
  return it->second;
}

}  // namespace millwright::net
