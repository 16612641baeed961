// Objects of the core group, straight from the store.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/resources/registry.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

struct Stored {
  const Store& store;
  const Registry& registry;
};

// None if it is not there.
std::optional<boost::json::value> FindStored(const Stored& stored, std::string_view plural,
                                             std::string_view namespace_, std::string_view name);

}  // namespace millwright::apiserver
