#include "kube/api/typed_items.h"

#include <utility>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::string QuotedList(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : " ") + QuotedText(text);
  return "[" + out + "]";
}

Result<PathElement> KeyedElement(const Shape& list, const json::value& item) {
  if (item.is_null()) {
    return Fail(ErrorKind::kInvalid, "associative list with keys may not have a null element");
  }
  const auto* object = item.if_object();
  if (object == nullptr) {
    return Fail(ErrorKind::kInvalid, "associative list with keys may not have non-map elements");
  }
  PathElement::Key key;
  for (const auto& name : list.keys()) {
    const json::value* part = object->if_contains(name);
    if (part == nullptr) part = list.KeyDefault(name);
    // A key field that is missing is part of the identity: it tells this item from one that has it.
    if (part != nullptr) key.emplace_back(name, *part);
  }
  if (key.empty()) {
    return Fail(ErrorKind::kInvalid,
                "associative list with keys has an element that omits all key fields " +
                    QuotedList(list.keys()) +
                    " (and doesn't have default values for any key fields)");
  }
  return PathElement::Keyed(std::move(key));
}

Result<PathElement> ValueElement(const json::value& item) {
  if (item.is_object()) {
    return Fail(ErrorKind::kInvalid,
                "associative list without keys has an element that's a map type");
  }
  if (item.is_array()) {
    return Fail(ErrorKind::kInvalid, "not supported: associative list with lists as elements");
  }
  if (item.is_null()) {
    return Fail(ErrorKind::kInvalid,
                "associative list without keys has an element that's an explicit null");
  }
  return PathElement::Value(item);
}

}  // namespace

Result<PathElement> ItemElement(const Shape& list, const json::value& item) {
  return list.keys().empty() ? ValueElement(item) : KeyedElement(list, item);
}

const json::value* ItemIndex::Single(const PathElement& element) const {
  const auto found = items.find(element);
  return found == items.end() || found->second.size() != 1 ? nullptr : found->second[0];
}

ItemIndex IndexItems(const Shape& list, const json::array* items) {
  ItemIndex index;
  if (items == nullptr) return index;
  for (const auto& item : *items) {
    auto element = ItemElement(list, item);
    if (!element) continue;
    index.items[*element].push_back(&item);
    index.order.push_back({*std::move(element), &item});
  }
  return index;
}

}  // namespace millwright::kube
