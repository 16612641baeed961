// Schemas as messages of gnostic's openapi.v2. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "apiserver/discovery/openapi/protobuf_writer.h"

namespace millwright::apiserver::openapi {

ProtobufWriter SchemaMessage(const boost::json::object& schema);

// A map is a list of these.
ProtobufWriter Named(std::string_view name, const ProtobufWriter& value);

// Any value, as YAML.
ProtobufWriter AnyMessage(const boost::json::value& value);

// The members whose names begin with "x-".
void AddVendorExtensions(const boost::json::object& document, std::uint32_t field,
                         ProtobufWriter& message);

// The text of a member; empty if there is none.
std::string_view StringOf(const boost::json::object& document, std::string_view name);
bool FlagOf(const boost::json::object& document, std::string_view name);

}  // namespace millwright::apiserver::openapi
