// Short ways to read and change the members of an object that has been normalized.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace millwright::apiserver::builtin {

// The member if it is of that type, else what is empty.
std::string_view TextOf(const boost::json::object& object, std::string_view name);
bool IsTrue(const boost::json::object& object, std::string_view name);
const boost::json::object* ObjectOf(const boost::json::object& object, std::string_view name);
boost::json::object* ObjectOf(boost::json::object& object, std::string_view name);
bool ListIsEmpty(const boost::json::object& object, std::string_view name);

// The objects in a list.
std::vector<std::reference_wrapper<boost::json::object>> ObjectsOf(boost::json::object& object,
                                                                   std::string_view name);
std::vector<std::reference_wrapper<const boost::json::object>> ObjectsOf(
    const boost::json::object& object, std::string_view name);

// The member, made if it is missing.
boost::json::object& MakeObject(boost::json::object& object, std::string_view name);
boost::json::array& MakeList(boost::json::object& object, std::string_view name);

// If it is absent, null or an empty string.
void SetMissing(boost::json::object& object, std::string_view name,
                const boost::json::value& value);

}  // namespace millwright::apiserver::builtin
