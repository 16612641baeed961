// From one JSON object to another, as the operations of a JSON Patch.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace millwright::admission {

// Objects are compared member by member; anything else that differs is replaced as a whole. Empty:
// they are the same.
boost::json::array DiffObjects(const boost::json::object& before, const boost::json::object& after);

}  // namespace millwright::admission
