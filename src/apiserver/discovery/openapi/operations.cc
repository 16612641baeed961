#include "apiserver/discovery/openapi/operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/discovery/openapi/definitions.h"
#include "apiserver/discovery/openapi/names.h"
#include "apiserver/resources/subresources.h"

namespace millwright::apiserver::openapi {

namespace {

using Types = std::vector<std::string_view>;

// What stands where operations are: a collection, an object, or an endpoint below one.
struct Spot {
  const Resource& resource;
  std::string definition;       // of what is read and written there
  kube::GroupVersionKind kind;  // of it
  std::string suffix = {};      // of the names: "Status"
};

std::string Root(const Resource& resource) {
  const auto& [group, version, kind] = resource.kind;
  return group.empty() ? "/api/" + version : fmt::format("/apis/{}/{}", group, version);
}

Types BodyTypes(const Resource& resource) {
  if (!resource.custom) return {"*/*"};
  return {"application/json", "application/yaml"};
}

// Strategic merge patches are for kinds that clients know by heart, and kubectl sends them to every
// kind that says so.
Types PatchTypes(const Resource& resource) {
  Types types = {"application/json-patch+json", "application/merge-patch+json"};
  if (!resource.custom) types.emplace_back("application/strategic-merge-patch+json");
  types.emplace_back("application/apply-patch+yaml");
  return types;
}

Operation Begin(const Spot& spot, std::string_view method, std::string_view action,
                std::string_view verb, std::string_view word) {
  const Resource& resource = spot.resource;
  Operation operation{
      .method = method,
      .action = action,
      .id = fmt::format("{}{}{}{}{}{}", verb, OperationPlace(resource.kind), word,
                        resource.namespaced ? "Namespaced" : "", resource.kind.kind, spot.suffix),
      .description = {},
      .kind = spot.kind};
  operation.answer_types = {"application/json", "application/yaml"};
  operation.codes = {"200"};
  return operation;
}

void SetBody(Operation& operation, std::string definition, Types types, bool required) {
  if (definition.empty()) return;
  operation.body = std::move(definition);
  operation.body_types = std::move(types);
  operation.body_required = required;
}

Operation ListOperation(const Spot& spot) {
  Operation operation = Begin(spot, "get", "list", "list", "");
  operation.description = fmt::format("List or watch {} objects.", spot.resource.kind.kind);
  operation.parameters = ListParameters();
  if (!spot.definition.empty()) operation.answer = spot.definition + "List";
  if (spot.resource.Allows("watch")) {
    operation.answer_types.emplace_back("application/json;stream=watch");
  }
  return operation;
}

Operation CreateOperation(const Spot& spot) {
  Operation operation = Begin(spot, "post", "post", "create", "");
  operation.description = fmt::format("Create a {}.", spot.kind.kind);
  operation.parameters = WriteParameters();
  SetBody(operation, spot.definition, BodyTypes(spot.resource), true);
  operation.answer = spot.definition;
  operation.codes = {"200", "201", "202"};
  return operation;
}

Operation DeleteCollectionOperation(const Spot& spot) {
  Operation operation = Begin(spot, "delete", "deletecollection", "delete", "Collection");
  operation.description = fmt::format("Delete all selected {} objects.", spot.resource.kind.kind);
  operation.parameters = DeleteCollectionParameters();
  SetBody(operation, std::string(kDeleteOptionsDefinition), BodyTypes(spot.resource), false);
  operation.answer = kStatusDefinition;
  return operation;
}

Operation ReadOperation(const Spot& spot) {
  Operation operation = Begin(spot, "get", "get", "read", "");
  operation.description = fmt::format("Read a {}.", spot.kind.kind);
  if (spot.resource.custom) operation.parameters = GetParameters();
  operation.answer = spot.definition;
  return operation;
}

Operation ReplaceOperation(const Spot& spot) {
  Operation operation = Begin(spot, "put", "put", "replace", "");
  operation.description = fmt::format("Replace a {}.", spot.kind.kind);
  operation.parameters = WriteParameters();
  SetBody(operation, spot.definition, BodyTypes(spot.resource), true);
  operation.answer = spot.definition;
  operation.codes = {"200", "201"};
  return operation;
}

Operation DeleteOperation(const Spot& spot) {
  Operation operation = Begin(spot, "delete", "delete", "delete", "");
  operation.description = fmt::format("Delete a {}.", spot.resource.kind.kind);
  operation.parameters = DeleteParameters();
  SetBody(operation, std::string(kDeleteOptionsDefinition), BodyTypes(spot.resource), false);
  operation.answer = kStatusDefinition;
  operation.codes = {"200", "202"};
  return operation;
}

Operation PatchOperation(const Spot& spot) {
  Operation operation = Begin(spot, "patch", "patch", "patch", "");
  operation.description = fmt::format("Change a part of a {}.", spot.kind.kind);
  operation.parameters = PatchParameters();
  SetBody(operation, std::string(kPatchDefinition), PatchTypes(spot.resource), true);
  operation.answer = spot.definition;
  operation.codes = {"200", "201"};
  return operation;
}

Path Collection(const Spot& spot) {
  const Resource& resource = spot.resource;
  Path path{
      .path = fmt::format("{}/{}{}", Root(resource),
                          resource.namespaced ? "namespaces/{namespace}/" : "", resource.plural),
      .tag = OperationTag(resource.kind),
      .parameters = PathParameters(false, resource.namespaced),
      .operations = {}};
  if (resource.Allows("list")) path.operations.push_back(ListOperation(spot));
  if (resource.Allows("create")) path.operations.push_back(CreateOperation(spot));
  if (resource.Allows("deletecollection")) {
    path.operations.push_back(DeleteCollectionOperation(spot));
  }
  return path;
}

Path AllNamespaces(const Spot& spot) {
  const Resource& resource = spot.resource;
  Path path{.path = fmt::format("{}/{}", Root(resource), resource.plural),
            .tag = OperationTag(resource.kind),
            .parameters = PathParameters(false, false),
            .operations = {}};
  if (resource.Allows("list")) {
    path.operations.push_back(ListOperation(spot));
    path.operations.back().id =
        fmt::format("list{}{}ForAllNamespaces", OperationPlace(resource.kind), resource.kind.kind);
  }
  return path;
}

// `allows` tells which verbs there are.
template <class Allows>
Path OneObject(const Spot& spot, const std::string& path, const Allows& allows) {
  Path one{.path = path,
           .tag = OperationTag(spot.resource.kind),
           .parameters = PathParameters(true, spot.resource.namespaced),
           .operations = {}};
  if (allows("get")) one.operations.push_back(ReadOperation(spot));
  if (allows("update")) one.operations.push_back(ReplaceOperation(spot));
  if (allows("delete")) one.operations.push_back(DeleteOperation(spot));
  if (allows("patch")) one.operations.push_back(PatchOperation(spot));
  return one;
}

Path Below(const Resource& resource, const Subresource& sub, const std::string& object_path) {
  // The scale of a custom kind is described as being of that kind.
  const Spot spot{.resource = resource,
                  .definition = DefinitionOf(resource, sub.kind),
                  .kind = resource.custom ? resource.kind : sub.kind,
                  .suffix = Capitalized(sub.name)};
  const auto allows = [&](std::string_view verb) {
    return std::ranges::find(sub.verbs, verb) != sub.verbs.end();
  };
  Path path = OneObject(spot, object_path + "/" + sub.name, allows);
  if (allows("create")) path.operations.push_back(CreateOperation(spot));
  return path;
}

}  // namespace

std::vector<Path> PathsOf(const Resource& resource) {
  const Spot spot{
      .resource = resource, .definition = DefinitionOf(resource), .kind = resource.kind};
  std::vector<Path> paths;
  if (resource.namespaced) paths.push_back(AllNamespaces(spot));
  paths.push_back(Collection(spot));
  const std::string object_path = paths.back().path + "/{name}";
  paths.push_back(
      OneObject(spot, object_path, [&](std::string_view verb) { return resource.Allows(verb); }));
  for (const Subresource& sub : SubresourcesOf(resource)) {
    paths.push_back(Below(resource, sub, object_path));
  }
  std::erase_if(paths, [](const Path& path) { return path.operations.empty(); });
  return paths;
}

}  // namespace millwright::apiserver::openapi
