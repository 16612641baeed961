// Steps that sets, deployments and health checks have in common: they belong to a cluster, and so
// do the templates that they name.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

// A merge patch that gives an object the label of its cluster and, if wanted, the Cluster as a
// plain owner; empty: it has both.
boost::json::object ClusterMarks(const dialects::capi::Header& object,
                                 const dialects::capi::ClusterRecord& cluster, bool owned);

// The same for a template: only the owner. Objects that are no templates are left alone.
boost::json::object TemplateMarks(const dialects::capi::Reference& reference,
                                  const dialects::capi::Header& object,
                                  const dialects::capi::ClusterRecord& cluster);

// An owner list as it is written.
boost::json::array OwnersJson(const std::vector<kube::OwnerReference>& owners);

// The label map of a selector with one more entry, as a merge patch of spec.selector.matchLabels
// and of the template's labels; empty: both have it.
boost::json::object SelectorMarks(const kube::Labels& selector, const kube::Labels& template_labels,
                                  const std::string& cluster);

// Adds a list of finalizers to a patch, if there is one.
void AddFinalizers(boost::json::object& patch,
                   const std::optional<std::vector<std::string>>& finalizers);

// Comma lists in annotations.
std::vector<std::string> SplitList(std::string_view text);
std::string JoinList(std::vector<std::string> names);

// The annotation, or an empty text.
std::string_view Annotation(const dialects::capi::Header& object, std::string_view key);
std::string_view Label(const dialects::capi::Header& object, std::string_view key);

}  // namespace millwright::controllers::contract
