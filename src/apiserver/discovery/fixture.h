// A few kinds, for the tests of this folder.
#pragma once

#include <memory>
#include <string>

#include <boost/json.hpp>

#include "apiserver/builtin/schema.h"
#include "apiserver/resources/registry.h"
#include "kube/api/schema_parse.h"

namespace millwright::apiserver {

inline ResourcePtr BuiltinResource(Resource resource) {
  resource.storage_version = resource.kind.version;
  resource.list_kind = resource.kind.kind + "List";
  resource.schema = [kind = resource.kind] { return BuiltinSchema(kind); };
  return std::make_shared<Resource>(std::move(resource));
}

inline ResourcePtr PodResource() {
  return BuiltinResource({.kind = {"", "v1", "Pod"},
                          .plural = "pods",
                          .singular = "pod",
                          .list_kind = {},
                          .short_names = {"po"},
                          .categories = {"all"},
                          .has_status = true,
                          .subresources = {{.name = "eviction",
                                            .kind = {"policy", "v1", "Eviction"},
                                            .verbs = {"create"}}},
                          .storage_version = {}});
}

inline ResourcePtr DeploymentResource() {
  return BuiltinResource({.kind = {"apps", "v1", "Deployment"},
                          .plural = "deployments",
                          .singular = "deployment",
                          .list_kind = {},
                          .short_names = {"deploy"},
                          .categories = {"all"},
                          .has_status = true,
                          .scale = ScalePaths{},
                          .storage_version = {}});
}

inline ResourcePtr AccessReviewResource() {
  return BuiltinResource({.kind = {"authorization.k8s.io", "v1", "SelfSubjectAccessReview"},
                          .plural = "selfsubjectaccessreviews",
                          .singular = "selfsubjectaccessreview",
                          .list_kind = {},
                          .namespaced = false,
                          .verbs = {"create"},
                          .storage_version = {}});
}

inline kube::SchemaPtr SchemaFrom(std::string_view text) {
  return std::make_shared<kube::Schema>(kube::ParseSchema(boost::json::parse(text)).value());
}

inline const std::vector<std::string> kCustomVerbs = {
    "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};

inline constexpr std::string_view kLatheSchema = R"({
  "type": "object", "description": "A lathe.", "required": ["spec"],
  "properties": {
    "spec": {
      "type": "object",
      "x-kubernetes-validations": [{"rule": "self.replicas < 10", "message": "few"}],
      "properties": {
        "replicas": {"type": "integer", "format": "int32", "default": 1, "minimum": 0,
                     "description": "How many."},
        "port": {"x-kubernetes-int-or-string": true},
        "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "maybe": {"type": "string", "nullable": true},
        "mode": {"type": "string", "enum": ["a", "b"], "pattern": "^[a-z]$"},
        "list": {"type": "array", "x-kubernetes-list-type": "map",
                 "x-kubernetes-list-map-keys": ["name"],
                 "items": {"type": "object", "required": ["name"],
                           "properties": {"name": {"type": "string"}}}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "tmpl": {"type": "object", "x-kubernetes-embedded-resource": true,
                 "x-kubernetes-preserve-unknown-fields": true},
        "either": {"type": "object", "properties": {"a": {"type": "string"}},
                   "oneOf": [{"required": ["a"]}, {"not": {"required": ["a"]}}]}
      }
    },
    "status": {"type": "object",
               "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}}}
  }
})";

inline ResourcePtr LatheResource(const std::string& version = "v1") {
  Resource lathe{.kind = {"example.org", version, "Lathe"},
                 .plural = "lathes",
                 .singular = "lathe",
                 .list_kind = "LatheList",
                 .short_names = {"la"},
                 .categories = {"all", "tools"},
                 .verbs = kCustomVerbs,
                 .custom = true,
                 .storage_version = "v1"};
  if (version == "v1") {
    lathe.has_status = true;
    lathe.scale = ScalePaths{};
    lathe.schema = [schema = SchemaFrom(kLatheSchema)] { return schema; };
  } else {
    lathe.schema = [schema = SchemaFrom(
                        R"({"type": "object", "x-kubernetes-preserve-unknown-fields": true})")] {
      return schema;
    };
  }
  return std::make_shared<Resource>(std::move(lathe));
}

inline ResourcePtr SawResource() {
  Resource saw{.kind = {"example.org", "v1", "Saw"},
               .plural = "saws",
               .singular = "saw",
               .list_kind = "SawList",
               .namespaced = false,
               .verbs = kCustomVerbs,
               .custom = true,
               .storage_version = "v1"};
  saw.schema = [schema = SchemaFrom(R"({"type": "object", "properties": {"spec": {"type": "object",
      "properties": {"teeth": {"type": "integer"}}}}})")] { return schema; };
  return std::make_shared<Resource>(std::move(saw));
}

inline Registry WorkshopRegistry() {
  Registry registry;
  registry.Add(PodResource());
  registry.Add(DeploymentResource());
  registry.Add(AccessReviewResource());
  registry.Add(LatheResource("v1"));
  registry.Add(LatheResource("v1beta1"));
  registry.Add(SawResource());
  return registry;
}

}  // namespace millwright::apiserver
