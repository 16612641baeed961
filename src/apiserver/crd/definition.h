// What the parts of a CustomResourceDefinition are called, and how to get at them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace millwright::apiserver {

inline constexpr std::string_view kCrdGroup = "apiextensions.k8s.io";
inline constexpr std::string_view kCrdPlural = "customresourcedefinitions";
inline constexpr std::string_view kCrdScope = "/apiextensions.k8s.io/customresourcedefinitions/";
// Holds a definition back until its objects are gone.
inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// spec.versions; empty if there is none.
const boost::json::array& VersionsOf(const boost::json::value& crd);

// The name of the version that objects are stored in; empty if none is marked.
std::string StorageVersionOf(const boost::json::value& crd);

// A list of strings at a path; what is no string is passed over.
std::vector<std::string> TextsAt(const boost::json::value& value, std::string_view path);

bool IsEnding(const boost::json::value& object);
bool HasFinalizer(const boost::json::value& object, std::string_view name);

}  // namespace millwright::apiserver
