// Records back to JSON: parts of the bodies that are applied. What is empty is not written.
#pragma once

#include <boost/json/object.hpp>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

boost::json::object TextsJson(const kube::Labels& texts);
boost::json::object ReferenceJson(const Reference& reference);

// A selector of labels.
boost::json::object SelectorJson(const kube::Labels& labels);

// The fields that are handed down, to where they stand in a machine's spec.
void AddHandedDown(const HandedDown& handed_down, boost::json::object& spec);

boost::json::object SpecJson(const MachineSpec& spec);
boost::json::object TemplateJson(const MachineTemplate& machine_template);

// An owner that controls, in the version we write.
kube::OwnerReference ControllerReference(std::string_view kind, const Header& owner);

// Adds a member unless it is empty.
void AddUnlessEmpty(boost::json::object& object, std::string_view key, boost::json::object member);
void AddUnlessEmpty(boost::json::object& object, std::string_view key, std::string_view text);

// Labels, annotations, finalizers and owners, as far as there are any.
struct BodyMetadata {
  kube::ObjectKey key;
  Uid uid;  // none: the object may be made
  kube::Labels labels;
  kube::Labels annotations;
  std::vector<std::string> finalizers;
  std::vector<kube::OwnerReference> owners;
};
boost::json::object MetadataJson(const BodyMetadata& metadata);

// The same of an object that is there.
BodyMetadata MetadataOf(const Header& header);

}  // namespace millwright::dialects::capi
