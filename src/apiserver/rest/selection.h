// Which objects a list or watch is about, by labels and fields.
#pragma once

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/rest/options.h"

namespace millwright::apiserver {

// metadata.labels.
kube::Labels LabelsOf(const boost::json::value& object);

class Selection {
 public:
  // Fails with 400 on a field that objects of the kind cannot be selected by.
  static Result<Selection> Of(const Resource& resource, const ListOptions& options);

  bool IsEverything() const { return labels_.IsEverything() && fields_.IsEverything(); }
  bool Matches(const boost::json::value& object) const;
  // The same for a stored text.
  bool Matches(const Record& record) const;

  // The one object it can be about, if that is known from the selector alone.
  const std::string* name() const { return fields_.RequiredValue("metadata.name"); }

 private:
  const Resource* resource_ = nullptr;
  kube::LabelSelector labels_;
  kube::FieldSelector fields_;
};

}  // namespace millwright::apiserver
