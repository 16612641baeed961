#include "kube/api/json_pointer.h"

#include <fmt/format.h>

#include <charconv>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

std::optional<std::string> Unescape(std::string_view text) {
  std::string part;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') {
      part += text[i];
      continue;
    }
    if (++i == text.size() || (text[i] != '0' && text[i] != '1')) return std::nullopt;
    part += text[i] == '0' ? '~' : '/';
  }
  return part;
}

json::value* Child(json::value& value, std::string_view part) {
  if (json::object* object = value.if_object()) return object->if_contains(part);
  json::array* list = value.if_array();
  if (list == nullptr) return nullptr;
  const auto index = ListIndex(part, list->size());
  return index ? &(*list)[*index] : nullptr;
}

}  // namespace

Result<JsonPointer> ParseJsonPointer(std::string_view text) {
  JsonPointer pointer;
  if (text.empty()) return pointer;
  if (!text.starts_with('/'))
    return Fail(ErrorKind::kInvalid, fmt::format("path '{}' must begin with '/'", text));
  for (std::string_view rest = text; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('/'));
    auto unescaped = Unescape(part);
    if (!unescaped) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("path '{}': '~' must be written '~0', and '/' '~1'", text));
    }
    pointer.push_back(*std::move(unescaped));
    rest.remove_prefix(part.size());
  }
  return pointer;
}

std::string FormatJsonPointer(const JsonPointer& pointer) {
  std::string text;
  for (const std::string& part : pointer) {
    text += '/';
    for (const char c : part) {
      if (c == '~') {
        text += "~0";
      } else if (c == '/') {
        text += "~1";
      } else {
        text += c;
      }
    }
  }
  return text;
}

std::optional<size_t> ListIndex(std::string_view part, size_t size) {
  const bool leading_zero = part.size() > 1 && part.front() == '0';
  if (leading_zero) return std::nullopt;
  size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size() || index >= size)
    return std::nullopt;
  return index;
}

json::value* FindPointer(json::value& root, const JsonPointer& pointer, size_t depth) {
  json::value* value = &root;
  for (size_t i = 0; i < depth && value != nullptr; ++i) value = Child(*value, pointer[i]);
  return value;
}

}  // namespace millwright::kube
