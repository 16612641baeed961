// One kind of object as the server serves it, in one version.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/converter.h"
#include "base/result.h"
#include "base/time.h"
#include "kube/api/group_version.h"
#include "kube/api/names.h"
#include "kube/api/schema.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

// A column of the Table that kubectl prints.
struct PrinterColumn {
  std::string name;
  std::string type;  // "string", "integer", "date"
  std::string json_path;
  std::string format = {};
  std::string description = {};
  int priority = 0;  // above 0: only with -o wide
};

// Where the endpoint /scale finds its numbers; paths with a dot in front: ".spec.replicas".
struct ScalePaths {
  std::string spec_replicas = ".spec.replicas";
  std::string status_replicas = ".status.replicas";
  std::string label_selector = {};  // empty: none
};

// A field that lists and watches can select by, besides metadata.name and metadata.namespace.
struct SelectableField {
  std::string path;    // "spec.nodeName"
  std::string absent;  // what it counts as where the object does not have it
  // Where else it stands, the first that says something; none: at its own path.
  std::vector<std::string> read_from = {};
};

// An endpoint below an object, for discovery.
struct Subresource {
  std::string name;  // "status", "eviction"
  kube::GroupVersionKind kind;
  std::vector<std::string> verbs;
};

// How a kind differs from others beyond its schema. What is empty adds nothing.
struct KindRules {
  std::function<kube::Complaints(std::string_view name)> check_name;
  // Brings an object into the one form in which objects of the kind are written.
  std::function<Result<void>(boost::json::value& object)> normalize;
  std::function<void(boost::json::value& object)> set_defaults;
  // `old` is null for a create.
  std::function<std::vector<kube::FieldError>(const boost::json::value& object,
                                              const boost::json::value* old)>
      validate;
  // By the rules that a definition carries; only for objects that fit their schema. Adds warnings
  // about what it lets through. `old` is null for a create.
  std::function<std::vector<kube::FieldError>(const boost::json::value& object,
                                              const boost::json::value* old,
                                              std::vector<std::string>& warnings)>
      judge;
  // Once the server's own fields are in, before anything is checked. `old` is null for a create.
  std::function<void(boost::json::value& object, const boost::json::value* old)> prepare;
  // When an object that cannot go at once is first marked for its end.
  std::function<void(boost::json::value& object, const boost::json::value& old, WallTime now)>
      mark_removal;
};

struct Resource {
  kube::GroupVersionKind kind;
  std::string plural;
  std::string singular;
  std::string list_kind;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  bool namespaced = true;
  std::vector<std::string> verbs = {"create", "delete", "deletecollection", "get",
                                    "list",   "patch",  "update",           "watch"};

  bool custom = false;             // made by a CustomResourceDefinition
  bool ending = false;             // whose definition is being deleted: nothing new
  bool has_status = false;         // the endpoint /status, and so nobody else writes the status
  bool tracks_generation = false;  // metadata.generation counts changes of what is wished
  bool create_on_update = false;   // a PUT of what is not there creates it
  bool graceful = false;           // deletion takes its time, as that of pods
  // Set: its deletion leaves what it owns alone unless told otherwise, and warns so if not empty.
  std::optional<std::string> orphan_warning = {};
  std::optional<ScalePaths> scale = {};
  std::vector<Subresource> subresources = {};
  std::vector<PrinterColumn> columns = {};
  // Makes the cells of all columns, the name among them, where paths cannot tell them ("1/2"). If
  // it is empty, the columns are those beside the name, and their paths tell.
  std::function<boost::json::array(const boost::json::value& object, WallTime now)> cells = {};
  std::vector<SelectableField> selectable_fields = {};

  // All versions of a kind are kept in this one.
  std::string storage_version;
  // Null: the versions differ in nothing but their name.
  std::shared_ptr<Converter> converter = nullptr;
  // What was stored before this revision may have the shape of an older schema.
  std::int64_t schema_since = 0;
  // What clients of a deprecated version are told with every answer; empty: nothing.
  std::string deprecation_warning = {};
  // Null: anything goes. Built-in schemas are made when they are first asked for.
  std::function<kube::SchemaPtr()> schema = [] { return nullptr; };
  KindRules rules = {};

  // As messages and CRD names write it: "deployments.apps", "pods".
  std::string QualifiedName() const {
    return kind.group.empty() ? plural : plural + "." + kind.group;
  }
  kube::GroupVersionResource Gvr() const { return {kind.group, kind.version, plural}; }
  bool Allows(std::string_view verb) const;
};

using ResourcePtr = std::shared_ptr<const Resource>;

// Where the store keeps objects of the kind, whatever the version: "/apps/deployments/". Events of
// both groups are the same objects.
std::string StorageRoot(const Resource& resource);
// What a list or watch covers; an empty namespace is all of them.
std::string StorageScope(const Resource& resource, std::string_view namespace_);
std::string StorageKey(const Resource& resource, std::string_view namespace_,
                       std::string_view name);

}  // namespace millwright::apiserver
