#include "tests/sim/facts.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace millwright::sim {

namespace json = boost::json;

namespace {

const json::value* At(const json::value& object, std::string_view pointer) {
  boost::system::error_code none;
  return object.find_pointer(pointer, none);
}

bool StatusIs(const json::value& object, std::string_view condition, std::string_view status) {
  const json::value* conditions = At(object, "/status/conditions");
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->as_array(), [&](const json::value& entry) {
    return TextAt(entry, "/type") == condition && TextAt(entry, "/status") == status;
  });
}

}  // namespace

std::string TextAt(const json::value& object, std::string_view pointer) {
  const json::value* found = At(object, pointer);
  if (found == nullptr || found->is_null()) return {};
  return found->is_string() ? std::string(found->as_string()) : json::serialize(*found);
}

int NumberAt(const json::value& object, std::string_view pointer) {
  const json::value* found = At(object, pointer);
  return found != nullptr && found->is_int64() ? static_cast<int>(found->as_int64()) : 0;
}

bool Has(const json::value& object, std::string_view pointer) {
  return At(object, pointer) != nullptr;
}

bool IsTrue(const json::value& object, std::string_view condition) {
  return StatusIs(object, condition, "True");
}

bool IsFalse(const json::value& object, std::string_view condition) {
  return StatusIs(object, condition, "False");
}

}  // namespace millwright::sim
