// Objects made from a provider's templates, and what is kept up to date on them afterwards.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

// Kind of the clones of a template's kind: without the suffix.
std::string ClonedKind(std::string_view template_kind);

// A reference to the clone of a template.
Reference CloneReference(const Reference& source, std::string_view name);

struct CloneWish {
  kube::ObjectKey key;
  std::string cluster;
  kube::Labels labels;       // win over the template's
  kube::Labels annotations;  // likewise
  std::optional<kube::OwnerReference> owner;
};

// The clone of a template, as the server gave it. Fails for what is no object of a group and kind.
Result<boost::json::object> Clone(const boost::json::object& source, const CloneWish& wish);

// An owner of clones until their machine takes over: it does not control them.
kube::OwnerReference FirstOwner(std::string_view kind, const Header& owner);

// After a clone was applied by managers::kSet: a merge patch that leaves the spec with that manager
// and gives what machines of the set have as labels and annotations to managers::kSetMetadata, so
// that either can be changed without the other. What else the template put there belongs to nobody.
// `created` is the answer to the apply. None: that is so already.
std::optional<boost::json::object> HandOverMetadata(const boost::json::object& created,
                                                    const SetRecord& set);

// Whether that is still to be done, because somebody else wrote to the clone in between: until then
// labels that leave the template would stay on the clone.
bool NeedsHandOver(const ExternalRecord& record);

// Labels and annotations of a clone as the body of an apply by managers::kSetMetadata.
boost::json::object CloneMetadataBody(const Reference& clone, std::string_view version,
                                      const ExternalRecord& record, const SetRecord& set);
bool NeedsApply(const boost::json::object& metadata_body, const ExternalRecord& record);

}  // namespace millwright::dialects::capi
