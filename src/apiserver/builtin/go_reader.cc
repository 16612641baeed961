#include "apiserver/builtin/go_reader.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/go_text.h"
#include "apiserver/builtin/table.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

const Type& JsonSchemaProps() {
  static const Type& kType = *BuiltinTable().Find("apiextensions.v1.JSONSchemaProps");
  return kType;
}

// What encoding/json calls the value; numbers are shown where they do not fit a number.
std::string Described(const json::value& value, bool wants_number) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "bool";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    case json::kind::int64:
    case json::kind::uint64:
      return wants_number ? "number " + kube::ValueText(value) : std::string("number");
    case json::kind::double_: break;
  }
  if (!wants_number) return "number";
  std::string text = kube::FloatText(value.get_double());
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return "number " + text;
}

bool FitsInteger(const json::value& value, bool is_int32) {
  const std::int64_t* number = value.if_int64();
  if (number == nullptr) return false;
  return !is_int32 || (*number >= std::numeric_limits<std::int32_t>::min() &&
                       *number <= std::numeric_limits<std::int32_t>::max());
}

// Small whole numbers read from outside may be unsigned.
void PreferSigned(json::value& value) {
  const std::uint64_t* number = value.if_uint64();
  if (number != nullptr && *number <= std::numeric_limits<std::int64_t>::max()) {
    value = static_cast<std::int64_t>(*number);
  }
}

// Go writes a whole float64 as a whole number.
void ShortenDouble(json::value& value) {
  constexpr double kExact = 1LL << 53U;
  const double* number = value.if_double();
  if (number != nullptr && std::trunc(*number) == *number && std::abs(*number) < kExact) {
    value = static_cast<std::int64_t>(*number);
  }
}

// Left out by omitempty.
bool IsEmpty(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return true;
    case json::kind::bool_: return !value.get_bool();
    case json::kind::int64: return value.get_int64() == 0;
    case json::kind::uint64: return value.get_uint64() == 0;
    case json::kind::double_: return value.get_double() == 0;
    case json::kind::string: return value.get_string().empty();
    case json::kind::array: return value.get_array().empty();
    case json::kind::object: return value.get_object().empty();
  }
  return false;
}

// What stays out of the text. A pointer is only empty if it points nowhere.
bool IsLeftOut(const Field& field, const json::value& value) {
  if (!OmitsEmpty(field)) return false;
  return field.type->shape == TypeShape::kPointer ? value.is_null() : IsEmpty(value);
}

}  // namespace

Failure GoReader::CannotUnmarshal(const json::value& value, std::string_view type_name) const {
  const bool wants_number = type_name.starts_with("int");
  const std::string what = Described(value, wants_number);
  const std::string into = GoTypeText(type_name);
  if (path_.empty()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("json: cannot unmarshal {} into Go value of type {}", what, into));
  }
  return Fail(ErrorKind::kInvalid,
              fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", what,
                          struct_name_, fmt::join(path_, "."), into));
}

Result<void> GoReader::Read(const Type& type, json::value& value) {
  switch (type.shape) {
    case TypeShape::kString:
    case TypeShape::kBool:
    case TypeShape::kInt32:
    case TypeShape::kInt64:
    case TypeShape::kDouble: return ReadScalar(type, value);
    case TypeShape::kStruct: return ReadStruct(type, value);
    case TypeShape::kPointer: return value.is_null() ? Ok() : Read(*type.element, value);
    case TypeShape::kList: return ReadList(type, value);
    case TypeShape::kMap: return ReadMap(type, value);
    case TypeShape::kBytes:
    case TypeShape::kTime:
    case TypeShape::kMicroTime: return ReadText(type, value);
    case TypeShape::kDuration:
      if (value.is_null()) value = "0s";
      return ReadText(type, value);
    case TypeShape::kQuantity: return CanonicalQuantity(value);
    case TypeShape::kIntOrString: return ReadIntOrString(value);
    case TypeShape::kRawExtension:
    case TypeShape::kFieldsV1:
    case TypeShape::kJson: return Ok();  // whatever it is, it stays
    case TypeShape::kSchemaOrArray:
    case TypeShape::kSchemaOrBool:
    case TypeShape::kSchemaOrStrings: return ReadSchema(type, value);
  }
  return Ok();
}

Result<void> GoReader::ReadScalar(const Type& type, json::value& value) {
  PreferSigned(value);
  bool fits = false;
  if (type.shape == TypeShape::kString) {
    if (value.is_null()) value.emplace_string();
    fits = value.is_string();
  } else if (type.shape == TypeShape::kBool) {
    if (value.is_null()) value = false;
    fits = value.is_bool();
  } else {
    if (value.is_null()) value = 0;
    fits = type.shape == TypeShape::kDouble ? value.is_number()
                                            : FitsInteger(value, type.shape == TypeShape::kInt32);
  }
  if (!fits) return CannotUnmarshal(value, type.name);
  ShortenDouble(value);
  return Ok();
}

Result<void> GoReader::ReadText(const Type& type, json::value& value) {
  if (value.is_null()) return Ok();
  auto* text = value.if_string();
  const bool is_bytes = type.shape == TypeShape::kBytes;
  if (text == nullptr) return CannotUnmarshal(value, is_bytes ? type.name : "string");
  if (is_bytes) return CanonicalBytes(*text);
  if (type.shape == TypeShape::kDuration) return CanonicalDuration(*text);
  return CanonicalTime(*text, type.shape == TypeShape::kMicroTime);
}

Result<void> GoReader::ReadIntOrString(json::value& value) {
  PreferSigned(value);
  if (value.is_null()) value = 0;
  if (value.is_string() || FitsInteger(value, true)) return Ok();
  return CannotUnmarshal(value, "int32");
}

Result<void> GoReader::ReadSchema(const Type& type, json::value& value) {
  if (value.is_object()) return Read(JsonSchemaProps(), value);
  auto* list = value.if_array();
  if (list == nullptr) return Ok();
  for (auto& item : *list) {
    if (type.shape == TypeShape::kSchemaOrArray) CHECK_OK(Read(JsonSchemaProps(), item));
  }
  return Ok();
}

Result<void> GoReader::ReadList(const Type& type, json::value& value) {
  if (value.is_null()) return Ok();
  auto* list = value.if_array();
  if (list == nullptr) return CannotUnmarshal(value, type.name);
  for (auto& item : *list) CHECK_OK(Read(*type.element, item));
  return Ok();
}

Result<void> GoReader::ReadMap(const Type& type, json::value& value) {
  if (value.is_null()) return Ok();
  auto* object = value.if_object();
  if (object == nullptr) return CannotUnmarshal(value, type.name);
  for (auto& member : *object) {
    CHECK_OK(Read(*type.element, member.value()));
    // Only as the value of a map are bytes never absent.
    if (type.element->shape == TypeShape::kBytes && member.value().is_null()) member.value() = "";
  }
  return Ok();
}

Result<void> GoReader::ReadStruct(const Type& type, json::value& value) {
  if (value.is_null()) value.emplace_object();
  auto* object = value.if_object();
  if (object == nullptr) return CannotUnmarshal(value, type.name);
  CHECK_OK(ReadMembers(type, *object));
  return Complete(type, *object);
}

Result<void> GoReader::ReadMembers(const Type& type, json::object& object) {
  for (auto place = object.begin(); place != object.end();) {
    const Member* member = type.FindMember(place->key());
    if (member != nullptr) CHECK_OK(ReadMember(*member, place->value()));
    if (member == nullptr || IsLeftOut(*member->field, place->value())) {
      place = object.erase(place);
    } else {
      ++place;
    }
  }
  return Ok();
}

Result<void> GoReader::ReadMember(const Member& member, json::value& value) {
  const std::string_view outer_struct = struct_name_;
  const std::size_t depth = path_.size();
  struct_name_ = ShortTypeName(member.owner->name);
  if (member.through != nullptr) path_.push_back(ShortTypeName(member.through->name));
  path_.push_back(member.name);
  CHECK_OK(Read(*member.field->type, value));
  path_.resize(depth);
  struct_name_ = outer_struct;
  return Ok();
}

Result<void> GoReader::Complete(const Type& type, json::object& object) {
  for (const Field* field : type.always_written) {
    if (object.contains(field->name)) continue;
    json::value zero;
    CHECK_OK(Read(*field->type, zero));
    object.emplace(field->name, std::move(zero));
  }
  return Ok();
}

}  // namespace millwright::apiserver::builtin
