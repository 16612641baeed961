// JSON for people.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace millwright::apiserver {

// Two spaces a level, as Go's encoder writes it.
std::string Indented(const boost::json::value& value);

}  // namespace millwright::apiserver
