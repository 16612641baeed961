#include "apiserver/discovery/openapi/definitions.h"

#include <algorithm>
#include <map>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/builtin/schema.h"
#include "apiserver/discovery/openapi/builtin_definition.h"
#include "apiserver/discovery/openapi/custom_definition.h"
#include "apiserver/discovery/openapi/names.h"
#include "apiserver/resources/subresources.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

using Make = std::function<json::object()>;

// What will be handed out: how to make each definition, and which kinds it is.
struct Plan {
  std::map<std::string, Make> makers;
  std::map<std::string, std::vector<kube::GroupVersionKind>> kinds;
  BuiltinParts parts;
};

json::object Ref(Dialect dialect, std::string_view definition) {
  return {{"$ref", Reference(dialect, definition)}};
}

json::object ListDefinition(const Resource& resource, const std::string& definition,
                            Dialect dialect) {
  const json::object text{{"type", "string"}};
  return {
      {"description", "A list of " + resource.kind.kind + " objects."},
      {"type", "object"},
      {"required", json::array{"items"}},
      {"properties",
       json::object{{"apiVersion", text},
                    {"items", json::object{{"type", "array"}, {"items", Ref(dialect, definition)}}},
                    {"kind", text},
                    {"metadata", Ref(dialect, kListMetaDefinition)}}}};
}

void AddKind(const kube::GroupVersionKind& kind, Plan& plan) {
  const kube::SchemaPtr schema = BuiltinSchema(kind);
  if (!schema) return;
  CollectParts(kind, plan.parts);
  plan.kinds[BuiltinDefinitionName(*schema)] = {kind};
}

void AddResource(const ResourcePtr& resource, Dialect dialect, Plan& plan) {
  const std::string definition = DefinitionOf(*resource);
  if (resource->custom) {
    plan.makers[definition] = [resource, dialect] {
      return CustomDefinition(resource->schema().get(), dialect);
    };
    plan.kinds[definition] = {resource->kind};
  } else {
    AddKind(resource->kind, plan);
  }
  for (const Subresource& sub : SubresourcesOf(*resource)) {
    if (sub.kind != resource->kind) AddKind(sub.kind, plan);
  }
  if (definition.empty() || !resource->Allows("list")) return;
  const std::string list = definition + "List";
  plan.makers[list] = [resource, definition, dialect] {
    return ListDefinition(*resource, definition, dialect);
  };
  plan.kinds[list] = {{resource->kind.group, resource->kind.version, resource->list_kind}};
}

bool IsStored(const ResourcePtr& resource) {
  return resource->Allows("list") || resource->Allows("delete") || resource->Allows("patch");
}

// What requests and answers have, whatever they are about.
void AddCommonParts(Plan& plan) {
  for (const std::string kind : {"Status", "DeleteOptions"}) AddKind({"", "v1", kind}, plan);
  CollectObjectMeta(plan.parts);
  plan.makers[std::string(kPatchDefinition)] = [] { return json::object{{"type", "object"}}; };
}

// The claims in a StatefulSet are a kind too: they say so, and have rules of their own.
void AddKindsWithinKinds(Plan& plan) {
  for (const kube::GroupVersionKind& kind : BuiltinKinds()) {
    if (plan.parts.contains(BuiltinDefinitionName(*BuiltinSchema(kind)))) AddKind(kind, plan);
  }
}

json::array KindsDocument(const std::vector<kube::GroupVersionKind>& kinds) {
  json::array all;
  for (const auto& [group, version, kind] : kinds) {
    all.push_back(json::object{{"group", group}, {"kind", kind}, {"version", version}});
  }
  return all;
}

}  // namespace

std::string DefinitionOf(const Resource& resource) {
  return resource.custom ? CustomDefinitionName(resource.kind)
                         : DefinitionOf(resource, resource.kind);
}

std::string DefinitionOf(const Resource& resource, const kube::GroupVersionKind& kind) {
  if (resource.custom && kind == resource.kind) return CustomDefinitionName(kind);
  const kube::SchemaPtr schema = BuiltinSchema(kind);
  return schema ? BuiltinDefinitionName(*schema) : "";
}

void ForEachDefinition(std::span<const ResourcePtr> resources, Dialect dialect,
                       const TakeDefinition& take) {
  Plan plan;
  for (const ResourcePtr& resource : resources) AddResource(resource, dialect, plan);
  if (std::ranges::any_of(resources, IsStored)) AddCommonParts(plan);
  AddKindsWithinKinds(plan);
  for (const auto& [name, part] : plan.parts) {
    plan.makers[name] = [&name, &part, dialect] { return PartDocument(name, part, dialect); };
  }
  for (const auto& [name, make] : plan.makers) {
    json::object document = make();
    if (const auto kinds = plan.kinds.find(name); kinds != plan.kinds.end()) {
      document["x-kubernetes-group-version-kind"] = KindsDocument(kinds->second);
    }
    take(name, std::move(document));
  }
}

}  // namespace millwright::apiserver::openapi
