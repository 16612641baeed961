#include "kube/api/typed_value.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

namespace {

enum class Rank { kNumber, kString, kBool, kList, kObject, kNull };

Rank RankOf(const json::value& value) {
  switch (value.kind()) {
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_: return Rank::kNumber;
    case json::kind::string: return Rank::kString;
    case json::kind::bool_: return Rank::kBool;
    case json::kind::array: return Rank::kList;
    case json::kind::object: return Rank::kObject;
    case json::kind::null: return Rank::kNull;
  }
  return Rank::kNull;
}

std::weak_ordering CompareDoubles(double a, double b) {
  if (a < b) return std::weak_ordering::less;
  return b < a ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

// Exact, because a comparison through double is not transitive above 2^53 and would break sorting.
std::weak_ordering CompareIntWithDouble(std::int64_t whole, double real) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (real >= kLimit) return std::weak_ordering::less;
  if (real < -kLimit) return std::weak_ordering::greater;
  const double floor = std::floor(real);
  const auto by_whole = whole <=> static_cast<std::int64_t>(floor);
  if (by_whole != 0) return by_whole;
  return floor < real ? std::weak_ordering::less : std::weak_ordering::equivalent;
}

// Unsigned numbers above the signed range are doubles to Go, and so to us.
bool IsWhole(const json::value& number) {
  if (number.is_int64()) return true;
  return number.is_uint64() && number.get_uint64() <= static_cast<std::uint64_t>(INT64_MAX);
}

std::int64_t AsWhole(const json::value& number) {
  return number.is_int64() ? number.get_int64() : static_cast<std::int64_t>(number.get_uint64());
}

double AsDouble(const json::value& number) {
  return number.is_double() ? number.get_double() : static_cast<double>(number.get_uint64());
}

std::weak_ordering CompareNumbers(const json::value& a, const json::value& b) {
  const bool a_whole = IsWhole(a);
  const bool b_whole = IsWhole(b);
  if (a_whole && b_whole) return AsWhole(a) <=> AsWhole(b);
  if (a_whole) return CompareIntWithDouble(AsWhole(a), AsDouble(b));
  if (b_whole) return 0 <=> CompareIntWithDouble(AsWhole(b), AsDouble(a));
  return CompareDoubles(AsDouble(a), AsDouble(b));
}

std::weak_ordering CompareStrings(std::string_view a, std::string_view b) { return a <=> b; }

std::weak_ordering CompareLists(const json::array& a, const json::array& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto order = CompareValues(a[i], b[i]);
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::vector<const json::key_value_pair*> Sorted(const json::object& object) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {}, [](const auto* member) { return member->key(); });
  return members;
}

std::weak_ordering CompareObjects(const json::object& a, const json::object& b) {
  const auto left = Sorted(a);
  const auto right = Sorted(b);
  const std::size_t common = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < common; ++i) {
    auto order = CompareStrings(left[i]->key(), right[i]->key());
    if (order != 0) return order;
    order = CompareValues(left[i]->value(), right[i]->value());
    if (order != 0) return order;
  }
  return left.size() <=> right.size();
}

bool SameLists(const json::array& a, const json::array& b) {
  return std::ranges::equal(a, b, SameValue);
}

bool SameObjects(const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&b](const auto& member) {
    const json::value* other = b.if_contains(member.key());
    return other != nullptr && SameValue(member.value(), *other);
  });
}

}  // namespace

std::weak_ordering CompareValues(const json::value& a, const json::value& b) {
  const Rank rank = RankOf(a);
  if (rank != RankOf(b)) return rank <=> RankOf(b);
  switch (rank) {
    case Rank::kNumber: return CompareNumbers(a, b);
    case Rank::kString: return CompareStrings(a.get_string(), b.get_string());
    case Rank::kBool: return a.get_bool() <=> b.get_bool();
    case Rank::kList: return CompareLists(a.get_array(), b.get_array());
    case Rank::kObject: return CompareObjects(a.get_object(), b.get_object());
    case Rank::kNull: return std::weak_ordering::equivalent;
  }
  return std::weak_ordering::equivalent;
}

bool SameValue(const json::value& a, const json::value& b) {
  if (a.is_object() && b.is_object()) return SameObjects(a.get_object(), b.get_object());
  if (a.is_array() && b.is_array()) return SameLists(a.get_array(), b.get_array());
  return CompareValues(a, b) == 0;
}

bool IsNestedTooDeep(const json::value& value, int limit) {
  if (const auto* object = value.if_object()) return IsNestedTooDeep(*object, limit);
  const auto* list = value.if_array();
  if (list == nullptr) return false;
  if (limit == 0) return true;
  return std::ranges::any_of(
      *list, [limit](const json::value& item) { return IsNestedTooDeep(item, limit - 1); });
}

bool IsNestedTooDeep(const json::object& object, int limit) {
  if (limit == 0) return true;
  return std::ranges::any_of(
      object, [limit](const auto& member) { return IsNestedTooDeep(member.value(), limit - 1); });
}

}  // namespace millwright::kube
