// Schemas written in C++, for the kinds that have no CustomResourceDefinition.
//
//   ObjectSchema({{"replicas", IntegerSchema("int32")},
//                 {"containers", ListMapSchema(container, {"name"})}})
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"

namespace millwright::kube {

using SchemaFields = std::initializer_list<std::pair<std::string_view, Schema>>;

Schema StringSchema(std::string_view format = "");
Schema IntegerSchema(std::string_view format = "int64");
Schema NumberSchema();
Schema BooleanSchema();
// A quantity, an int-or-string, or any other scalar that may be a number or a string.
Schema IntOrStringSchema();
// Anything below is kept as it comes (RawExtension, opaque configuration).
Schema OpaqueSchema();

Schema ObjectSchema(SchemaFields fields);
// All values of one type under free keys (labels).
Schema MapSchema(Schema value);
// Replaced as a whole when applied.
Schema ListSchema(Schema item);
// Merged by value when applied.
Schema SetSchema(Schema item);
// Merged by the key fields of its items when applied.
Schema ListMapSchema(Schema item, std::vector<std::string> keys);

// The same schema with something more said.
Schema Atomic(Schema object);
Schema Described(Schema schema, std::string_view description);
Schema Requiring(Schema object, std::vector<std::string> fields);
Schema WithDefault(Schema schema, boost::json::value value);

}  // namespace millwright::kube
