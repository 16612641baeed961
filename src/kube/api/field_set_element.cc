#include "kube/api/field_set_element.h"

#include <algorithm>
#include <charconv>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::weak_ordering CompareKeys(const PathElement::Key& a, const PathElement::Key& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    std::weak_ordering order = a[i].first <=> b[i].first;
    if (order != 0) return order;
    order = CompareValues(a[i].second, b[i].second);
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::string KeyText(const PathElement::Key& key) {
  std::string out = "[";
  for (const auto& [name, value] : key) {
    if (out.size() > 1) out += ',';
    out += name + '=' + ValueText(value);
  }
  return out + ']';
}

std::string KeyJson(const PathElement::Key& key) {
  json::object object;
  for (const auto& [name, value] : key) object[name] = value;
  return JsonText(object);
}

// Keys and values are scalars; whatever else comes must at least be safe to compare.
Result<json::value> ReadValue(std::string_view text) {
  auto value = ParseJson(text, {.max_depth = kMaxNesting});
  if (!value) return Failure(std::move(value).error().Wrap("not JSON in a path element"));
  return value;
}

Result<PathElement> DecodeKey(std::string_view text) {
  TRY(const json::value value, ReadValue(text));
  const auto* object = value.if_object();
  if (object == nullptr) return Fail(ErrorKind::kInvalid, "a list key must be a JSON object");
  PathElement::Key key;
  for (const auto& field : *object) key.emplace_back(field.key(), field.value());
  return PathElement::Keyed(std::move(key));
}

Result<PathElement> DecodeIndex(std::string_view text) {
  std::int64_t index = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (failed != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorKind::kInvalid, "not an index: " + QuotedText(text));
  }
  return PathElement::Index(index);
}

}  // namespace

PathElement PathElement::Keyed(Key key) {
  std::ranges::sort(key, [](const auto& a, const auto& b) { return a.first < b.first; });
  return PathElement(Step(std::move(key)));
}

PathElement PathElement::Value(json::value value) {
  return PathElement(Step(std::in_place_type<json::value>, std::move(value)));
}

Result<std::optional<PathElement>> PathElement::Decode(std::string_view text) {
  if (text.size() < 2 || text[1] != ':') {
    return Fail(ErrorKind::kInvalid, "not a path element: " + QuotedText(text));
  }
  const std::string_view rest = text.substr(2);
  switch (text[0]) {
    case 'f': return Field(rest);
    case 'k': return DecodeKey(rest);
    case 'i': return DecodeIndex(rest);
    case 'v': {
      TRY(json::value value, ReadValue(rest));
      return Value(std::move(value));
    }
    default: return std::optional<PathElement>();
  }
}

std::string PathElement::Encode() const {
  if (const auto* name = field()) return "f:" + *name;
  if (const auto* fields = key()) return "k:" + KeyJson(*fields);
  if (const auto* value = std::get_if<json::value>(&step_)) return "v:" + JsonText(*value);
  return "i:" + std::to_string(std::get<std::int64_t>(step_));
}

std::string PathElement::ToString() const {
  if (const auto* name = field()) return "." + *name;
  if (const auto* fields = key()) return KeyText(*fields);
  if (const auto* value = std::get_if<json::value>(&step_)) return "[=" + ValueText(*value) + "]";
  return "[" + std::to_string(std::get<std::int64_t>(step_)) + "]";
}

std::weak_ordering operator<=>(const PathElement& a, const PathElement& b) {
  if (a.step_.index() != b.step_.index()) return a.step_.index() <=> b.step_.index();
  if (const auto* name = a.field()) return *name <=> *b.field();
  if (const auto* fields = a.key()) return CompareKeys(*fields, *b.key());
  if (const auto* value = std::get_if<json::value>(&a.step_)) {
    return CompareValues(*value, std::get<json::value>(b.step_));
  }
  return std::get<std::int64_t>(a.step_) <=> std::get<std::int64_t>(b.step_);
}

std::string ToString(const FieldPath& path) {
  std::string out;
  for (const auto& element : path) out += element.ToString();
  return out;
}

}  // namespace millwright::kube
