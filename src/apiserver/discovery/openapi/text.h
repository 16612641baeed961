// What both forms of OpenAPI have in common.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/operations.h"

namespace millwright::apiserver::openapi {

// Appends the members of an object to a text, one by one: a document is large, its parts are not.
class MemberWriter {
 public:
  explicit MemberWriter(std::string& text) : text_(text) {}

  void Add(std::string_view name, const boost::json::object& value);

 private:
  std::string& text_;
  bool first_ = true;
};

// Which kind an operation is about, and what it does to it.
void AddExtensions(const Operation& operation, boost::json::object& document);

std::string_view CodeText(std::string_view http_status);

// The members "info" and the one that says how clients identify themselves, as JSON.
std::string InfoText();
std::string SecurityText();

}  // namespace millwright::apiserver::openapi
