// Checks that several kinds have in common. Each adds what it finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "kube/api/labels.h"
#include "kube/api/schema_error.h"

namespace millwright::dialects::capi {

using FieldErrorList = std::vector<kube::FieldError>;

// "v1.35.0", with or without more behind it.
bool IsKubernetesVersion(std::string_view version);

void CheckVersion(const boost::json::object& object, std::string_view path, FieldErrorList& errors);

// The cluster of an object is for life.
void CheckClusterName(const boost::json::object& object, const boost::json::object* old,
                      FieldErrorList& errors);
void CheckTemplateCluster(const boost::json::object& object, FieldErrorList& errors);

void CheckCluster(const boost::json::object& cluster, const boost::json::object* old,
                  FieldErrorList& errors);

// `spec` is where the machine's spec is.
void CheckBootstrap(const boost::json::object& object, std::string_view spec,
                    FieldErrorList& errors);

struct TaintRules {
  bool allowed = false;  // the gate
  bool worker = true;
};
void CheckTaints(const boost::json::object& object, std::string_view spec, const TaintRules& rules,
                 FieldErrorList& errors);

// A number or a percentage; absent is fine.
void CheckAmount(const boost::json::object& object, std::string_view path, FieldErrorList& errors);

void CheckNaming(const boost::json::object& object, FieldErrorList& errors);
void CheckTemplateMetadata(const boost::json::object& object, FieldErrorList& errors);
void CheckSkippedPreflight(const boost::json::object& object, FieldErrorList& errors);

// The selector at a path; nothing is selected by one that does not parse.
kube::LabelSelector CheckSelector(const boost::json::object& object, std::string_view path,
                                  FieldErrorList& errors);
void CheckSelectsTemplate(const boost::json::object& object, FieldErrorList& errors);

// Labels or annotations at a path.
kube::Labels TextsAt(const boost::json::object& object, std::string_view path);

}  // namespace millwright::dialects::capi
