#include "apiserver/discovery/openapi/gnostic.h"

#include "apiserver/discovery/openapi/gnostic_operation.h"
#include "apiserver/discovery/openapi/gnostic_schema.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

// The fields of Document.
enum : std::uint32_t {
  kSwagger = 1,
  kInfo = 2,
  kPaths = 8,
  kDefinitions = 9,
  kSecurity = 12,
  kSecurityDefinitions = 13,
};

ProtobufWriter ApiKey(const json::object& security) {
  ProtobufWriter key;
  key.Text(1, StringOf(security, "type"));
  key.Text(2, StringOf(security, "name"));
  key.Text(3, StringOf(security, "in"));
  key.Text(4, StringOf(security, "description"));
  return key;
}

}  // namespace

GnosticDocument::GnosticDocument(const json::object& info) {
  ProtobufWriter message;
  message.Text(1, StringOf(info, "title"));
  message.Text(2, StringOf(info, "version"));
  head_.Text(kSwagger, "2.0");
  head_.Message(kInfo, message);
}

void GnosticDocument::AddPath(std::string_view path, const json::object& item) {
  constexpr std::uint32_t kPath = 2;
  paths_.Message(kPath, Named(path, PathItemMessage(item)));
}

void GnosticDocument::AddDefinition(std::string_view name, const json::object& schema) {
  constexpr std::uint32_t kAdditionalProperties = 1;
  definitions_.Message(kAdditionalProperties, Named(name, SchemaMessage(schema)));
}

std::string GnosticDocument::Finish(const json::object& security_definitions) && {
  ProtobufWriter definitions;
  for (const auto& [name, security] : security_definitions) {
    constexpr std::uint32_t kApiKeySecurity = 2;
    ProtobufWriter item;
    item.Message(kApiKeySecurity, ApiKey(security.as_object()));
    definitions.Message(1, Named(name, item));
    // Any of them will do, without scopes.
    ProtobufWriter requirement;
    requirement.Message(1, Named(name, ProtobufWriter()));
    head_.Message(kSecurity, requirement);
  }
  head_.Message(kPaths, paths_);
  head_.Message(kDefinitions, definitions_);
  head_.Message(kSecurityDefinitions, definitions);
  return std::move(head_).text();
}

}  // namespace millwright::apiserver::openapi
