// Values at dotted paths of a JSON object ("spec.template.spec"), to be moved about. Keys with dots
// cannot be reached this way.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace millwright::dialects::capi {

boost::json::value* FindPath(boost::json::object& root, std::string_view path);
const boost::json::value* FindPath(const boost::json::object& root, std::string_view path);

// The text there; empty: there is none.
std::string_view TextAtPath(const boost::json::object& root, std::string_view path);

// Takes a value out, and what is empty without it. Null is taken out too, and is none.
std::optional<boost::json::value> TakePath(boost::json::object& root, std::string_view path);

// Puts a value there, with the objects that lead to it. What is in the way and no object goes.
void PutPath(boost::json::object& root, std::string_view path, boost::json::value value);

// Takes an object out if there is nothing in it.
void DropIfEmpty(boost::json::object& root, std::string_view path);

}  // namespace millwright::dialects::capi
