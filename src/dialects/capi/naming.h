// Names of machines and sets. Whoever makes objects brings the part that looks random: five
// characters of Kubernetes' alphabet (core/replicas/names.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

struct NameValues {
  std::string_view cluster;
  std::string_view set;
  std::string_view random;
};

// A template such as "{{ .machineSet.name }}-{{ .random }}" with its variables put in. Fails for
// variables that nobody knows, and for actions that are more than a variable.
Result<std::string> RenderName(std::string_view naming, const NameValues& values);

// The name of a new machine; an empty template is the usual one. A name that is too long is cut,
// and has the random part at its end. Fails for a template without the random part.
Result<std::string> MachineName(std::string_view naming, const NameValues& values);

struct SetName {
  std::string name;
  std::string template_hash;  // value of labels::kTemplateHash; ends as the name does

  friend bool operator==(const SetName&, const SetName&) = default;
};

// Of a new set of a deployment.
SetName NewSetName(std::string_view deployment, std::string_view template_text,
                   std::string_view random);

// Below it are names of machines that are gone (core/replicas/names.h). 0: none is known.
std::uint32_t NameFloorOf(const SetRecord& set);
// The same as the annotation annotations::kState of a set.
std::string NameFloorNote(std::uint32_t floor);

}  // namespace millwright::dialects::capi
