#include "apiserver/discovery/indented.h"

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

void Append(std::string& out, const json::value& value, std::size_t depth) {
  const auto line = [&](std::size_t at) { out.append(1, '\n').append(2 * at, ' '); };
  const json::object* object = value.if_object();
  const json::array* array = value.if_array();
  const bool nested =
      (object != nullptr && !object->empty()) || (array != nullptr && !array->empty());
  if (!nested) {
    out += json::serialize(value);
    return;
  }
  const char* between = "";
  const auto member = [&](const json::value& one) {
    Append(out, one, depth + 1);
    between = ",";
  };
  out += object != nullptr ? '{' : '[';
  if (object != nullptr) {
    for (const auto& [key, one] : *object) {
      out += between;
      line(depth + 1);
      out += json::serialize(json::string(key)) + ": ";
      member(one);
    }
  } else {
    for (const json::value& one : *array) {
      out += between;
      line(depth + 1);
      member(one);
    }
  }
  line(depth);
  out += object != nullptr ? '}' : ']';
}

}  // namespace

std::string Indented(const json::value& value) {
  std::string out;
  Append(out, value, 0);
  return out;
}

}  // namespace millwright::apiserver
