// Reads optional fields of objects from outside: absent and null leave the target alone, a wrong
// type is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "base/time.h"

namespace millwright::kube {

// The member if it is there and not null, else null.
const boost::json::value* PresentField(const boost::json::object& object, std::string_view name);

Failure WrongField(std::string_view name, std::string_view want);

Result<void> ReadField(const boost::json::object& object, std::string_view name,
                       std::string& target);
Result<void> ReadField(const boost::json::object& object, std::string_view name, int64_t& target);
Result<void> ReadField(const boost::json::object& object, std::string_view name,
                       std::optional<bool>& target);
Result<void> ReadField(const boost::json::object& object, std::string_view name,
                       std::optional<WallTime>& target);

}  // namespace millwright::kube
