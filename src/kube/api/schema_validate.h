// Checking objects against a schema.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_error.h"

namespace millwright::kube {

// Everything that is wrong with a resource, worded as a kube-apiserver words it: values against the
// schema, then embedded resources, then the uniqueness that list types promise. The rules of
// x-kubernetes-validations are not looked at. At most a thousand errors are given.
//
// apiVersion, kind and metadata need not be in the schema; metadata has to be an ObjectMeta by its
// types, but names, labels and owners are not looked into.
std::vector<FieldError> Validate(const Schema& schema, const boost::json::value& resource);

// The same for a change of `old`. What was wrong before and has not been touched is let through, so
// that a schema may become stricter without locking up stored objects ("ratcheting").
std::vector<FieldError> ValidateUpdate(const Schema& schema, const boost::json::value& resource,
                                       const boost::json::value& old);

// A value anywhere inside of a resource, with its path; for defaults.
std::vector<FieldError> ValidateValue(const Schema& schema, const boost::json::value& value,
                                      const std::string& path);

// Whether the object is so wrong that rules must not be run on it: wrong types, missing or too many
// fields. The server then says only this about the rules.
bool BlocksRules(const std::vector<FieldError>& errors);

}  // namespace millwright::kube
