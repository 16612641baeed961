// For tests: definitions to begin with.
#pragma once

#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace millwright::apiserver {

// A definition without a status, one version, as after defaulting.
inline boost::json::value MakeCrd(std::string_view plural = "lathes",
                                  std::string_view kind = "Lathe",
                                  std::string_view group = "example.org") {
  boost::json::value crd = boost::json::parse(R"({
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {},
    "spec": {
      "scope": "Namespaced",
      "names": {},
      "conversion": {"strategy": "None"},
      "versions": [{
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {
          "spec": {"type": "object", "properties": {
            "replicas": {"type": "integer", "default": 1},
            "color": {"type": "string"}}},
          "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}},
        "subresources": {"status": {}}
      }]
    },
    "status": {"storedVersions": ["v1"]}
  })");
  const std::string kind_text(kind);
  std::string singular = kind_text;
  for (char& c : singular) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  crd.at_pointer("/metadata").get_object()["name"] = std::string(plural) + "." + std::string(group);
  crd.at_pointer("/spec").get_object()["group"] = group;
  crd.at_pointer("/spec").get_object()["names"] = {{"plural", plural},
                                                   {"singular", singular},
                                                   {"kind", kind_text},
                                                   {"listKind", kind_text + "List"}};
  return crd;
}

}  // namespace millwright::apiserver
