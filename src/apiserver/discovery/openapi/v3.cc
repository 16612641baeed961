#include "apiserver/discovery/openapi/v3.h"

#include <boost/json.hpp>

#include "apiserver/discovery/openapi/definitions.h"
#include "apiserver/discovery/openapi/operations.h"
#include "apiserver/discovery/openapi/text.h"
#include "apiserver/discovery/version.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

json::object Content(const std::string& definition, std::span<const std::string_view> types) {
  json::object content;
  for (const std::string_view type : types) {
    content[type] =
        json::object{{"schema", json::object{{"$ref", Reference(Dialect::kV3, definition)}}}};
  }
  return content;
}

json::object Responses(const Operation& operation) {
  json::object responses;
  for (const std::string_view code : operation.codes) {
    json::object response{{"description", CodeText(code)}};
    if (!operation.answer.empty()) {
      response["content"] = Content(operation.answer, operation.answer_types);
    }
    responses[code] = std::move(response);
  }
  responses["401"] = json::object{{"description", CodeText("401")}};
  return responses;
}

json::object OperationDocument(const Path& path, const Operation& operation) {
  json::object document{{"tags", json::array{path.tag}},
                        {"description", operation.description},
                        {"operationId", operation.id}};
  if (!operation.parameters.empty()) {
    document["parameters"] = ParametersDocument(operation.parameters, Dialect::kV3);
  }
  if (!operation.body.empty()) {
    json::object body{{"content", Content(operation.body, operation.body_types)}};
    if (operation.body_required) body["required"] = true;
    document["requestBody"] = std::move(body);
  }
  document["responses"] = Responses(operation);
  AddExtensions(operation, document);
  return document;
}

json::object PathDocument(const Path& path) {
  json::object document;
  for (const Operation& operation : path.operations) {
    document[operation.method] = OperationDocument(path, operation);
  }
  document["parameters"] = ParametersDocument(path.parameters, Dialect::kV3);
  return document;
}

}  // namespace

std::string V3Document(std::span<const ResourcePtr> resources) {
  std::string text = R"({"openapi":"3.0.0","info":)" + InfoText() + R"(,"paths":{)";
  MemberWriter paths(text);
  for (const ResourcePtr& resource : resources) {
    for (const Path& path : PathsOf(*resource)) paths.Add(path.path, PathDocument(path));
  }
  text += R"(},"components":{"schemas":{)";
  MemberWriter schemas(text);
  ForEachDefinition(resources, Dialect::kV3, [&](const std::string& name, json::object document) {
    schemas.Add(name, document);
  });
  text += R"(},"securitySchemes":)" + SecurityText() + "}}";
  return text;
}

}  // namespace millwright::apiserver::openapi
