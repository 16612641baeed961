// The definitions that a document needs, whatever form it is written in. Pure.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/dialect.h"
#include "apiserver/resources/resource.h"

namespace millwright::apiserver::openapi {

inline constexpr std::string_view kPatchDefinition = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
inline constexpr std::string_view kStatusDefinition = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
inline constexpr std::string_view kListMetaDefinition =
    "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
inline constexpr std::string_view kObjectMetaDefinition =
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
inline constexpr std::string_view kDeleteOptionsDefinition =
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

// "io.k8s.api.core.v1.Pod", "org.example.v1.Lathe".
std::string DefinitionOf(const Resource& resource);
// Of a kind that a subresource of it speaks; empty if nobody knows its fields.
std::string DefinitionOf(const Resource& resource, const kube::GroupVersionKind& kind);

using TakeDefinition = std::function<void(const std::string& name, boost::json::object document)>;

// Hands out the kinds, their lists and everything they refer to, each once and in the order of the
// names. One at a time, because all of them together are large.
void ForEachDefinition(std::span<const ResourcePtr> resources, Dialect dialect,
                       const TakeDefinition& take);

}  // namespace millwright::apiserver::openapi
