// Paths and operations as messages of gnostic's openapi.v2. Pure.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/protobuf_writer.h"

namespace millwright::apiserver::openapi {

ProtobufWriter PathItemMessage(const boost::json::object& item);

}  // namespace millwright::apiserver::openapi
