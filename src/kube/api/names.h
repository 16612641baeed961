// Which names Kubernetes accepts. Every function answers what is wrong, in the words clients know
// from kube-apiserver; an empty answer means that the name is fine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kube/api/labels.h"

namespace millwright::kube {

using Complaints = std::vector<std::string>;

// A host name part: namespaces, Machines of most dialects.
Complaints CheckDns1123Label(std::string_view name);

// A host name: Nodes and most other objects.
Complaints CheckDns1123Subdomain(std::string_view name);

// A DNS-1123 label that does not begin with a digit: Services.
Complaints CheckDns1035Label(std::string_view name);

// "name" or "prefix.example.com/name": keys of labels and annotations, finalizers, taint keys.
Complaints CheckQualifiedName(std::string_view name);

Complaints CheckLabelValue(std::string_view value);

// What can stand between two slashes of a URL: names of RBAC objects and of all without own rules.
Complaints CheckPathSegment(std::string_view name);

// As CheckQualifiedName, but the prefix may be in any case.
Complaints CheckAnnotationKey(std::string_view key);

// 256 KiB for all keys and values together; the keys are not looked at.
Complaints CheckAnnotationsSize(const Labels& annotations);

// Five characters for GenerateName. The alphabet has no vowels, so that no words appear.
std::string RandomSuffix(const std::array<uint32_t, 5>& random);

// The name for an object that asked for metadata.generateName: `base` and `suffix`, the base cut so
// that the whole has at most 63 characters and can be a DNS label.
std::string GenerateName(std::string_view base, std::string_view suffix);

}  // namespace millwright::kube
