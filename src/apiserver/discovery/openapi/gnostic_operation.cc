#include "apiserver/discovery/openapi/gnostic_operation.h"

#include <array>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/discovery/openapi/gnostic_schema.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

ProtobufWriter Within(std::uint32_t field, const ProtobufWriter& message) {
  ProtobufWriter outer;
  outer.Message(field, message);
  return outer;
}

ProtobufWriter BodyParameter(const json::object& parameter) {
  ProtobufWriter body;
  body.Text(1, StringOf(parameter, "description"));
  body.Text(2, StringOf(parameter, "name"));
  body.Text(3, StringOf(parameter, "in"));
  body.Flag(4, FlagOf(parameter, "required"));
  body.Message(5, SchemaMessage(parameter.at("schema").as_object()));
  return body;
}

// Those in the query have one field more, which moves the others.
ProtobufWriter OtherParameter(const json::object& parameter, bool in_query) {
  const std::uint32_t shift = in_query ? 1 : 0;
  ProtobufWriter message;
  message.Flag(1, FlagOf(parameter, "required"));
  message.Text(2, StringOf(parameter, "in"));
  message.Text(3, StringOf(parameter, "description"));
  message.Text(4, StringOf(parameter, "name"));
  message.Text(5 + shift, StringOf(parameter, "type"));
  message.Flag(19 + shift, FlagOf(parameter, "uniqueItems"));
  return message;
}

// A ParametersItem: a choice within a choice within a choice.
ProtobufWriter ParametersItem(const json::object& parameter) {
  constexpr std::uint32_t kParameter = 1;
  constexpr std::uint32_t kBody = 1;
  constexpr std::uint32_t kNonBody = 2;
  constexpr std::uint32_t kQuery = 3;
  constexpr std::uint32_t kPath = 4;
  const std::string_view in = StringOf(parameter, "in");
  if (in == "body") return Within(kParameter, Within(kBody, BodyParameter(parameter)));
  const bool in_query = in == "query";
  return Within(kParameter, Within(kNonBody, Within(in_query ? kQuery : kPath,
                                                    OtherParameter(parameter, in_query))));
}

ProtobufWriter Responses(const json::object& responses) {
  ProtobufWriter all;
  for (const auto& [code, value] : responses) {
    const json::object& response = value.as_object();
    ProtobufWriter message;
    message.Text(1, StringOf(response, "description"));
    if (const json::value* schema = response.if_contains("schema")) {
      message.Message(2, Within(1, SchemaMessage(schema->as_object())));
    }
    all.Message(1, Named(code, Within(1, message)));
  }
  return all;
}

void PutTexts(const json::object& document, std::string_view name, std::uint32_t field,
              ProtobufWriter& message) {
  const json::value* texts = document.if_contains(name);
  if (texts == nullptr) return;
  for (const json::value& text : texts->as_array()) message.Item(field, text.as_string());
}

void PutParameters(const json::object& document, std::uint32_t field, ProtobufWriter& message) {
  const json::value* parameters = document.if_contains("parameters");
  if (parameters == nullptr) return;
  for (const json::value& parameter : parameters->as_array()) {
    message.Message(field, ParametersItem(parameter.as_object()));
  }
}

ProtobufWriter OperationMessage(const json::object& operation) {
  ProtobufWriter message;
  PutTexts(operation, "tags", 1, message);
  message.Text(3, StringOf(operation, "description"));
  message.Text(5, StringOf(operation, "operationId"));
  PutTexts(operation, "produces", 6, message);
  PutTexts(operation, "consumes", 7, message);
  PutParameters(operation, 8, message);
  message.Message(9, Responses(operation.at("responses").as_object()));
  PutTexts(operation, "schemes", 10, message);
  AddVendorExtensions(operation, 13, message);
  return message;
}

}  // namespace

ProtobufWriter PathItemMessage(const json::object& item) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 5> kMethods = {
      {{"get", 2}, {"put", 3}, {"post", 4}, {"delete", 5}, {"patch", 8}}};
  ProtobufWriter message;
  for (const auto& [method, field] : kMethods) {
    if (const json::value* operation = item.if_contains(method)) {
      message.Message(field, OperationMessage(operation->as_object()));
    }
  }
  PutParameters(item, 9, message);
  return message;
}

}  // namespace millwright::apiserver::openapi
