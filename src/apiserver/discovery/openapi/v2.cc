#include "apiserver/discovery/openapi/v2.h"

#include <boost/json.hpp>

#include "apiserver/discovery/openapi/definitions.h"
#include "apiserver/discovery/openapi/gnostic.h"
#include "apiserver/discovery/openapi/operations.h"
#include "apiserver/discovery/openapi/text.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

constexpr std::string_view kSecurity = R"([{"BearerToken":[]}])";

json::array Texts(std::span<const std::string_view> texts) {
  return json::array(texts.begin(), texts.end());
}

json::object Ref(const std::string& definition) {
  return {{"$ref", Reference(Dialect::kV2, definition)}};
}

json::object BodyParameter(const Operation& operation) {
  json::object body{{"name", "body"}, {"in", "body"}};
  if (operation.body_required) body["required"] = true;
  body["schema"] = Ref(operation.body);
  return body;
}

json::object Responses(const Operation& operation) {
  json::object responses;
  for (const std::string_view code : operation.codes) {
    json::object response{{"description", CodeText(code)}};
    if (!operation.answer.empty()) response["schema"] = Ref(operation.answer);
    responses[code] = std::move(response);
  }
  responses["401"] = json::object{{"description", CodeText("401")}};
  return responses;
}

json::object OperationDocument(const Path& path, const Operation& operation) {
  // All parameters stand here and none is a reference: that is where kubectl looks for dryRun.
  json::array parameters;
  if (!operation.body.empty()) parameters.push_back(BodyParameter(operation));
  for (json::value& parameter : ParametersDocument(operation.parameters, Dialect::kV2)) {
    parameters.push_back(std::move(parameter));
  }
  json::object document{{"description", operation.description}};
  if (!operation.body.empty()) document["consumes"] = Texts(operation.body_types);
  document["produces"] = Texts(operation.answer_types);
  document["schemes"] = json::array{"https"};
  document["tags"] = json::array{path.tag};
  document["operationId"] = operation.id;
  if (!parameters.empty()) document["parameters"] = std::move(parameters);
  document["responses"] = Responses(operation);
  AddExtensions(operation, document);
  return document;
}

json::object PathDocument(const Path& path) {
  json::object document;
  for (const Operation& operation : path.operations) {
    document[operation.method] = OperationDocument(path, operation);
  }
  document["parameters"] = ParametersDocument(path.parameters, Dialect::kV2);
  return document;
}

template <class Take>
void ForEachPath(std::span<const ResourcePtr> resources, const Take& take) {
  for (const ResourcePtr& resource : resources) {
    for (const Path& path : PathsOf(*resource)) take(path.path, PathDocument(path));
  }
}

}  // namespace

std::string V2Document(std::span<const ResourcePtr> resources) {
  std::string text = R"({"swagger":"2.0","info":)" + InfoText() + R"(,"paths":{)";
  MemberWriter paths(text);
  ForEachPath(resources, [&](const std::string& path, const json::object& document) {
    paths.Add(path, document);
  });
  text += R"(},"definitions":{)";
  MemberWriter definitions(text);
  ForEachDefinition(resources, Dialect::kV2, [&](const std::string& name, json::object document) {
    definitions.Add(name, document);
  });
  text += R"(},"securityDefinitions":)" + SecurityText() + R"(,"security":)";
  text.append(kSecurity).append("}");
  return text;
}

std::string V2ProtobufDocument(std::span<const ResourcePtr> resources) {
  GnosticDocument document(json::parse(InfoText()).as_object());
  ForEachPath(resources, [&](const std::string& path, const json::object& item) {
    document.AddPath(path, item);
  });
  ForEachDefinition(resources, Dialect::kV2, [&](const std::string& name, json::object schema) {
    document.AddDefinition(name, schema);
  });
  return std::move(document).Finish(json::parse(SecurityText()).as_object());
}

}  // namespace millwright::apiserver::openapi
