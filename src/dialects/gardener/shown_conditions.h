// Conditions and counts in the statuses of sets and deployments, as they are shown.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string_view>

#include "base/time.h"

namespace millwright::dialects::gardener {

// A copy of the list; empty if there is none.
boost::json::array ShownConditions(const boost::json::value& status, std::string_view list);

// The condition of a type, or null.
const boost::json::object* FindShown(const boost::json::array& conditions, std::string_view type);

// Adds it, or puts it in the place of the one of its type.
void PutCondition(boost::json::array& conditions, boost::json::object condition);
void DropCondition(boost::json::array& conditions, std::string_view type);

// A count in a status; absent is 0.
int StatusCount(const boost::json::value& status, std::string_view field);

// The text of a status as a tree; an empty text is an empty object.
boost::json::value StatusTree(std::string_view text);

}  // namespace millwright::dialects::gardener
