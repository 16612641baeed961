#include "apiserver/discovery/openapi/parameters.h"

#include <array>

#include <boost/json.hpp>

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

constexpr Parameter kBookmarks = {"allowWatchBookmarks", "boolean",
                                  "Lets a watch send BOOKMARK events with its progress."};
constexpr Parameter kContinue = {"continue", "string",
                                 "Where the previous page of a list ended, as that page said."};
constexpr Parameter kDryRun = {"dryRun", "string",
                               "With the value All everything is done but storing the result."};
constexpr Parameter kFieldManager = {"fieldManager", "string",
                                     "Who owns the fields that this request sets."};
constexpr Parameter kFieldSelector = {"fieldSelector", "string",
                                      "Only objects whose fields have these values."};
constexpr Parameter kFieldValidation = {
    "fieldValidation", "string",
    "What to do with unknown and repeated fields: Ignore, Warn or Strict."};
constexpr Parameter kForce = {
    "force", "boolean", "Takes over fields that others own, for an apply that would conflict."};
constexpr Parameter kGracePeriod = {"gracePeriodSeconds", "integer",
                                    "How long the object may take to end; zero is at once."};
constexpr Parameter kLabelSelector = {"labelSelector", "string", "Only objects with these labels."};
constexpr Parameter kLimit = {"limit", "integer", "How many objects a page of a list may have."};
constexpr Parameter kName = {"name", "string", "The name of the object.", true};
constexpr Parameter kNamespace = {"namespace", "string", "The namespace of the object.", true};
constexpr Parameter kOrphan = {"orphanDependents", "boolean",
                               "Deprecated: propagationPolicy replaces it."};
constexpr Parameter kPretty = {"pretty", "string", "Answers with line breaks, for people."};
constexpr Parameter kPropagation = {
    "propagationPolicy", "string",
    "What becomes of the objects that this one owns: Orphan, Background or Foreground."};
constexpr Parameter kResourceVersion = {"resourceVersion", "string",
                                        "How new the answer has to be."};
constexpr Parameter kVersionMatch = {"resourceVersionMatch", "string",
                                     "How resourceVersion is meant: Exact or NotOlderThan."};
constexpr Parameter kInitialEvents = {
    "sendInitialEvents", "boolean",
    "Lets a watch begin with an event for each object that is there already."};
constexpr Parameter kTimeout = {"timeoutSeconds", "integer",
                                "After how long a list or watch ends."};
constexpr Parameter kWatch = {"watch", "boolean", "Goes on with changes as they happen."};

constexpr std::array kList = {
    kBookmarks,       kContinue,     kFieldSelector, kLabelSelector, kLimit,
    kResourceVersion, kVersionMatch, kInitialEvents, kTimeout,       kWatch};
constexpr std::array kGet = {kResourceVersion};
constexpr std::array kWrite = {kDryRun, kFieldManager, kFieldValidation};
constexpr std::array kPatch = {kDryRun, kFieldManager, kFieldValidation, kForce};
constexpr std::array kDelete = {kDryRun, kGracePeriod, kOrphan, kPropagation};
constexpr std::array kDeleteCollection = {
    kContinue, kDryRun,      kFieldSelector,   kGracePeriod,  kLabelSelector, kLimit,
    kOrphan,   kPropagation, kResourceVersion, kVersionMatch, kTimeout};
constexpr std::array kOfPath = {kName, kNamespace, kPretty};
constexpr std::array kOfClusterPath = {kName, kPretty};

json::object ParameterDocument(const Parameter& parameter, Dialect dialect) {
  // Go's documents say so of every parameter, for no reason that matters.
  json::object schema{{"type", parameter.type}, {"uniqueItems", true}};
  json::object document{{"name", parameter.name},
                        {"in", parameter.in_path ? "path" : "query"},
                        {"description", parameter.description}};
  if (parameter.in_path) document["required"] = true;
  if (dialect == Dialect::kV3) {
    document["schema"] = std::move(schema);
  } else {
    for (auto& [key, value] : schema) document[key] = std::move(value);
  }
  return document;
}

}  // namespace

std::span<const Parameter> ListParameters() { return kList; }
std::span<const Parameter> GetParameters() { return kGet; }
std::span<const Parameter> WriteParameters() { return kWrite; }
std::span<const Parameter> PatchParameters() { return kPatch; }
std::span<const Parameter> DeleteParameters() { return kDelete; }
std::span<const Parameter> DeleteCollectionParameters() { return kDeleteCollection; }

std::span<const Parameter> PathParameters(bool has_name, bool has_namespace) {
  const std::span<const Parameter> all = has_namespace ? std::span<const Parameter>(kOfPath)
                                                       : std::span<const Parameter>(kOfClusterPath);
  return has_name ? all : all.subspan(1);
}

json::array ParametersDocument(std::span<const Parameter> parameters, Dialect dialect) {
  json::array all;
  for (const Parameter& parameter : parameters) {
    all.push_back(ParameterDocument(parameter, dialect));
  }
  return all;
}

}  // namespace millwright::apiserver::openapi
