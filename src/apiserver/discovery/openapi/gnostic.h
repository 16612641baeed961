// An OpenAPI v2 document as the protobuf message openapi.v2.Document of github.com/google/gnostic.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/protobuf_writer.h"

namespace millwright::apiserver::openapi {

// Takes the parts as JSON, in any order, and puts them together at the end.
class GnosticDocument {
 public:
  explicit GnosticDocument(const boost::json::object& info);

  void AddPath(std::string_view path, const boost::json::object& item);
  void AddDefinition(std::string_view name, const boost::json::object& schema);

  std::string Finish(const boost::json::object& security_definitions) &&;

 private:
  ProtobufWriter head_;
  ProtobufWriter paths_;
  ProtobufWriter definitions_;
};

}  // namespace millwright::apiserver::openapi
