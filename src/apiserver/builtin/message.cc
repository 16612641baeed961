#include "apiserver/builtin/message.h"

#include <bit>
#include <cstdint>

#include <fmt/format.h>
#include <simdjson.h>
#include <boost/json.hpp>

#include "apiserver/builtin/small_message.h"
#include "apiserver/builtin/table.h"
#include "base/base64.h"
#include "kube/api/typed_value.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

// Only the schemas in CRDs nest at will; each level of theirs is two of JSON.
constexpr int kMaxDepth = kube::kMaxNesting / 3;
// Two bytes of an empty item can become a value of a hundred bytes.
constexpr std::size_t kMaxValues = 500'000;

bool IsNumber(TypeShape shape) { return shape >= TypeShape::kBool && shape <= TypeShape::kDouble; }

WireType WantedWire(TypeShape shape) {
  if (shape == TypeShape::kDouble) return WireType::kFixed64;
  return IsNumber(shape) ? WireType::kVarint : WireType::kBytes;
}

json::value NumberOf(TypeShape shape, std::uint64_t bits) {
  if (shape == TypeShape::kBool) return bits != 0;
  if (shape == TypeShape::kDouble) return std::bit_cast<double>(bits);
  const auto number = static_cast<std::int64_t>(bits);
  return shape == TypeShape::kInt32 ? std::int64_t{static_cast<std::int32_t>(number)} : number;
}

Result<void> CheckUtf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return Ok();
  return Fail(ErrorKind::kInvalid, "proto: a string is not valid UTF-8");
}

Failure WrongWire(WireType type) {
  return Fail(ErrorKind::kInvalid,
              fmt::format("proto: wrong wireType = {}", static_cast<int>(type)));
}

const Field* FieldWithNumber(const Type& type, std::uint32_t number) {
  for (const auto& field : type.fields) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

const Type& JsonSchemaProps() {
  static const Type& kType = *BuiltinTable().Find("apiextensions.v1.JSONSchemaProps");
  return kType;
}

const Type& StringType() {
  static const Type& kType = *BuiltinTable().Find("string");
  return kType;
}

json::object& ObjectIn(json::value& value) {
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::array& ListIn(json::value& value) {
  return value.is_array() ? value.get_array() : value.emplace_array();
}

}  // namespace

Result<void> MessageReader::CountValue() {
  if (++values_ <= kMaxValues) return Ok();
  return Fail(ErrorKind::kInvalid, "proto: the object has too many values");
}

Result<void> MessageReader::Read(const Type& type, std::string_view message, json::object& object) {
  if (depth_ >= kMaxDepth) return Fail(ErrorKind::kInvalid, "proto: the object is nested too deep");
  ++depth_;
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto wire, reader.Next());
    const Field* field = FieldWithNumber(type, wire->number);
    if (field == nullptr) continue;
    if (!field->inlined) {
      CHECK_OK(ReadInto(*field->type, *wire, object[field->name]));
    } else if (wire->type == WireType::kBytes) {
      CHECK_OK(Read(*field->type, wire->bytes, object));
    } else {
      return WrongWire(wire->type);
    }
  }
  --depth_;
  return Ok();
}

Result<void> MessageReader::ReadInto(const Type& type, const WireField& wire, json::value& value) {
  if (type.shape == TypeShape::kPointer) return ReadInto(*type.element, wire, value);
  if (type.shape == TypeShape::kList && !type.is_message) {
    return ReadItem(*type.element, wire, ListIn(value));
  }
  CHECK_OK(CountValue());
  if (wire.type != WantedWire(type.shape)) return WrongWire(wire.type);
  if (IsNumber(type.shape)) {
    value = NumberOf(type.shape, wire.value);
    return Ok();
  }
  return ReadMessage(type, wire.bytes, value);
}

Result<void> MessageReader::ReadMessage(const Type& type, std::string_view message,
                                        json::value& value) {
  if (type.shape == TypeShape::kStruct) return Read(type, message, ObjectIn(value));
  if (type.shape == TypeShape::kMap) return ReadEntry(*type.element, message, ObjectIn(value));
  if (type.shape == TypeShape::kString) {
    CHECK_OK(CheckUtf8(message));
    value = message;
    return Ok();
  }
  if (type.shape == TypeShape::kBytes) {
    value = EncodeBase64(message);
    return Ok();
  }
  if (type.shape == TypeShape::kList) {  // a message with nothing but the list
    return ReadRepeated(*type.element, message, 1, ListIn(value));
  }
  if (!IsSmallMessage(type.shape)) return ReadSchema(type, message, value);
  TRY(value, ReadSmallMessage(type.shape, message));
  return value.is_string() ? CheckUtf8(value.get_string()) : Ok();
}

Result<void> MessageReader::ReadRepeated(const Type& type, std::string_view message,
                                         std::uint32_t number, json::array& list) {
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number == number) CHECK_OK(ReadItem(type, *field, list));
  }
  return Ok();
}

Result<void> MessageReader::ReadItem(const Type& type, const WireField& wire, json::array& list) {
  if (IsNumber(type.shape) && wire.type == WireType::kBytes) {
    return ReadPacked(type, wire.bytes, list);
  }
  json::value item;
  CHECK_OK(ReadInto(type, wire, item));
  list.push_back(std::move(item));
  return Ok();
}

// Clients of other languages may write lists of numbers this way. (There are none of doubles.)
Result<void> MessageReader::ReadPacked(const Type& type, std::string_view bytes,
                                       json::array& list) {
  for (WireReader reader(bytes); !reader.AtEnd();) {
    TRY(const std::uint64_t bits, reader.ReadVarint());
    CHECK_OK(CountValue());
    list.push_back(NumberOf(type.shape, bits));
  }
  return Ok();
}

Result<void> MessageReader::ReadEntry(const Type& type, std::string_view message,
                                      json::object& map) {
  std::string_view key = "";
  json::value value;
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number == 1) key = field->bytes;
    if (field->number == 2) CHECK_OK(ReadInto(type, *field, value));
  }
  CHECK_OK(CheckUtf8(key));
  map.insert_or_assign(key, std::move(value));
  return Ok();
}

// Either a schema or, depending on the type, schemas, strings or a truth value.
Result<void> MessageReader::ReadSchema(const Type& type, std::string_view message,
                                       json::value& value) {
  const bool or_bool = type.shape == TypeShape::kSchemaOrBool;
  const std::uint32_t schema_number = or_bool ? 2 : 1;
  const Type& item = type.shape == TypeShape::kSchemaOrArray ? JsonSchemaProps() : StringType();
  json::array list;
  json::value schema;
  bool allows = false;
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number == schema_number) {
      CHECK_OK(ReadInto(JsonSchemaProps(), *field, schema));
    } else if (or_bool && field->number == 1) {
      allows = field->value != 0;
    } else if (!or_bool && field->number == 2) {
      CHECK_OK(ReadItem(item, *field, list));
    }
  }
  if (!list.empty()) {
    value = std::move(list);
  } else {
    value = or_bool && schema.is_null() ? json::value(allows) : std::move(schema);
  }
  return Ok();
}

}  // namespace millwright::apiserver::builtin
