// Events have two groups and one store: v1 and events.k8s.io/v1 name the same fields differently.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/resources/converter.h"

namespace millwright::apiserver {

// The event in that version ("v1", "events.k8s.io/v1"); one that is in it already stays as it is.
boost::json::value EventIn(std::string_view api_version, boost::json::value event);

std::shared_ptr<Converter> EventConverter();

}  // namespace millwright::apiserver
