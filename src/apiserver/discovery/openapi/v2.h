// OpenAPI v2: one document for everything. Pure.
#pragma once

#include <span>
#include <string>

#include "apiserver/resources/resource.h"

namespace millwright::apiserver::openapi {

// As JSON.
std::string V2Document(std::span<const ResourcePtr> resources);

// The same as a protobuf message of gnostic's openapi.v2, the only form that kubectl takes up to
// 1.26.
std::string V2ProtobufDocument(std::span<const ResourcePtr> resources);

}  // namespace millwright::apiserver::openapi
