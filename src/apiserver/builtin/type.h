// The Go types behind the built-in kinds, as far as their JSON and protobuf forms depend on them.
//
// A real server decodes every request into these types and encodes them again, so they decide which
// fields exist, which zero values are written and which are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"

namespace millwright::apiserver::builtin {

enum class TypeShape {
  kString,  // scalars, up to kDouble

  kBool,
  kInt32,
  kInt64,
  kDouble,
  kBytes,
  kStruct,
  kPointer,  // to `element`
  kList,     // of `element`
  kMap,      // from strings to `element`
  kTime,
  kMicroTime,
  kDuration,
  kQuantity,
  kIntOrString,
  kRawExtension,
  kFieldsV1,
  kJson,
  kSchemaOrArray,
  kSchemaOrBool,
  kSchemaOrStrings,
};

struct Type;

struct Field {
  std::string_view name;     // in JSON; of an inlined struct, in protobuf
  std::uint32_t number = 0;  // in protobuf; 0 if it is not there
  const Type* type = nullptr;
  bool inlined =
      false;  // its fields are those of the struct around it in JSON, but not in protobuf
  bool omit_empty = false;
  bool omit_zero = false;
  bool required = false;  // by the OpenAPI document; a server checks by other means
  std::optional<kube::ListType> list_type{};
  std::vector<std::string_view> list_map_keys{};
  std::optional<kube::MapType> map_type{};
  std::vector<std::string_view> choices{};       // of the string
  std::vector<std::string_view> item_choices{};  // of each item of the list
  std::optional<boost::json::value> default_value{};
};

// A field as JSON has it, where those of inlined structs are not told from others.
struct Member {
  std::string_view name;
  const Field* field = nullptr;
  const Type* owner = nullptr;    // the struct that declares it
  const Type* through = nullptr;  // null, or the owner if it is inlined
};

// Whether encoding/json leaves the field out when it is empty: it knows nothing of structs and of
// types with an encoding of their own.
bool OmitsEmpty(const Field& field);

struct Type {
  std::string_view name;  // "core.v1.PodSpec", "[]string"
  TypeShape shape = TypeShape::kString;
  const Type* element = nullptr;  // of a pointer, list or map
  bool is_message = false;        // a list that is a message of its own in protobuf
  bool is_atomic = false;         // a struct that is replaced as a whole when applied
  std::vector<Field> fields{};    // of a struct, in the order of its declaration

  // Of a struct, once the table is complete: all fields in JSON, by name; and those among them that
  // Go writes whatever their value.
  std::vector<Member> members{};
  std::vector<const Field*> always_written{};

  // By its JSON name; null if there is none.
  const Member* FindMember(std::string_view json_name) const;
  const Field* Find(std::string_view json_name) const;

  // Fills in `members` and `always_written`.
  void Complete();
};

}  // namespace millwright::apiserver::builtin
