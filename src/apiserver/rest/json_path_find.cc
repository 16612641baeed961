// Walking along a JSONPath.
#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/json_path.h"
#include "apiserver/rest/json_path_steps.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Values = std::vector<const json::value*>;

// A path that multiplies what it finds with every step is nobody's column.
constexpr std::size_t kMaxValues = 100'000;

Failure Wrong(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

Result<Values> Walk(const JsonPathSteps& steps, Values values);

void AddChildren(const json::value& value, Values& out) {
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) out.push_back(&member.value());
  }
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) out.push_back(&item);
  }
}

void AddDescendants(const json::value& value, Values& out) {
  Values children;
  AddChildren(value, children);
  if (children.empty()) return;
  out.push_back(&value);
  for (const json::value* child : children) AddDescendants(*child, out);
}

Result<void> AddSlice(const SliceStep& slice, const json::value& value, Values& out) {
  const json::array* list = value.if_array();
  if (list == nullptr) return Wrong("what is indexed is not a list");
  const auto size = static_cast<std::int64_t>(list->size());
  std::int64_t begin = slice.begin.value_or(0);
  if (begin < 0) begin += size;
  std::int64_t end = size;
  if (slice.single) {
    end = begin + 1;
  } else if (slice.end) {
    end = *slice.end < 0 ? *slice.end + size : *slice.end;
  }
  if (begin == end) return Ok();
  if (begin < 0 || begin >= size || end < 0 || end > size || begin > end) {
    return Wrong(fmt::format("array index out of bounds: index {}, length {}", begin, size));
  }
  const std::int64_t step = slice.step.value_or(1);
  if (step <= 0) return Wrong("step must be > 0");
  for (std::int64_t i = begin; i < end; i += std::min(step, size)) {
    out.push_back(&(*list)[static_cast<std::size_t>(i)]);
  }
  return Ok();
}

template <class T>
bool Compare(std::string_view how, const T& a, const T& b) {
  if (how == "==") return a == b;
  if (how == "!=") return a != b;
  if (how == "<") return a < b;
  if (how == ">") return b < a;
  if (how == "<=") return !(b < a);
  return !(a < b);
}

Result<bool> Compared(std::string_view how, const json::value& a, const json::value& b) {
  if (a.is_string() && b.is_string()) {
    return Compare<std::string_view>(how, a.get_string(), b.get_string());
  }
  if (a.is_int64() && b.is_int64()) return Compare(how, a.get_int64(), b.get_int64());
  if (a.is_double() && b.is_double()) return Compare(how, a.get_double(), b.get_double());
  if (a.is_bool() && b.is_bool() && (how == "==" || how == "!=")) {
    return Compare(how, a.get_bool(), b.get_bool());
  }
  return Wrong("incompatible types for comparison");
}

Result<bool> Passes(const FilterStep& filter, const json::value& item) {
  auto lefts = Walk(filter.left, {&item});
  if (filter.compare.empty()) return lefts && !lefts->empty();
  TRY(const Values left, std::move(lefts));
  TRY(const Values right, Walk(filter.right, {&item}));
  if (left.empty() || right.empty()) return false;
  if (left.size() > 1 || right.size() > 1) return Wrong("can only compare one element at a time");
  return Compared(filter.compare, *left[0], *right[0]);
}

// What one step makes of all values so far. Null is as good as absent on the way.
struct Taker {
  const Values& values;

  Result<Values> operator()(const FieldStep& field) const {
    Values out;
    for (const json::value* value : values) {
      const json::object* object = value->if_object();
      const json::value* found = object == nullptr ? nullptr : object->if_contains(field.name);
      if (found != nullptr) out.push_back(found);
    }
    return out;
  }
  Result<Values> operator()(const WildcardStep&) const {
    Values out;
    for (const json::value* value : values) AddChildren(*value, out);
    return out;
  }
  Result<Values> operator()(const DescendStep&) const {
    Values out;
    for (const json::value* value : values) AddDescendants(*value, out);
    return out;
  }
  Result<Values> operator()(const SliceStep& slice) const {
    Values out;
    for (const json::value* value : values) {
      if (!value->is_null()) CHECK_OK(AddSlice(slice, *value, out));
    }
    return out;
  }
  Result<Values> operator()(const UnionStep& parts) const {
    Values out;
    for (const JsonPathSteps& part : parts.parts) {
      TRY(const Values some, Walk(part, values));
      out.insert(out.end(), some.begin(), some.end());
    }
    return out;
  }
  Result<Values> operator()(const LiteralStep& literal) const {
    return Values(std::max<std::size_t>(values.size(), 1), &literal.value);
  }
  Result<Values> operator()(const FilterStep& filter) const {
    Values out;
    for (const json::value* value : values) {
      const json::array* list = value->if_array();
      if (list == nullptr) return Wrong("what is filtered is not a list");
      for (const json::value& item : *list) {
        TRY(const bool passes, Passes(filter, item));
        if (passes) out.push_back(&item);
      }
    }
    return out;
  }
};

Result<Values> Walk(const JsonPathSteps& steps, Values values) {
  for (const auto& step : steps) {
    TRY(values, std::visit(Taker{values}, step->what));
    if (values.size() > kMaxValues) return Wrong("the path leads to too many values");
  }
  return values;
}

}  // namespace

Result<Values> JsonPath::Find(const json::value& root) const { return Walk(steps_, {&root}); }

}  // namespace millwright::apiserver
