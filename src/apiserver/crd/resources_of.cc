#include "apiserver/crd/resources_of.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "apiserver/resources/registry.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_parse.h"
#include "kube/cel/rule_judge.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// The order in which a real server lists them.
const std::vector<std::string> kVerbs = {"delete", "deletecollection", "get",    "list",
                                         "patch",  "create",           "update", "watch"};
const std::vector<std::string> kPartVerbs = {"get", "patch", "update"};

std::string Text(const json::value& value, std::string_view path) {
  return std::string(kube::GetString(value, path));
}

Result<kube::SchemaPtr> SchemaOf(const json::value& crd, const json::value& version) {
  const json::value* document = kube::Find(version, "schema.openAPIV3Schema");
  if (document == nullptr || document->is_null()) return kube::SchemaPtr();
  TRY(kube::Schema schema, kube::ParseSchema(*document));
  // Only definitions from before v1 can say so.
  if (kube::GetBool(crd, "spec.preserveUnknownFields")) schema.preserve_unknown_fields = true;
  return std::make_shared<const kube::Schema>(std::move(schema));
}

decltype(KindRules::judge) JudgeOf(const kube::Schema& schema) {
  auto judge = kube::cel::RuleJudge::Make(schema);
  if (!judge) return nullptr;
  return [judge = std::move(judge)](const json::value& object, const json::value* old,
                                    std::vector<std::string>& warnings) {
    kube::cel::Judgement judgement = judge->Judge(object, old);
    for (const auto& error : judgement.forgiven) warnings.push_back(kube::ToString(error));
    for (const auto& error : judgement.skipped) {
      warnings.push_back("a rule was not run: " + kube::ToString(error));
    }
    return std::move(judgement.errors);
  };
}

std::vector<PrinterColumn> ColumnsOf(const json::value& version) {
  std::vector<PrinterColumn> columns;
  const json::array* list = kube::GetArray(version, "additionalPrinterColumns");
  if (list == nullptr) return columns;
  for (const json::value& column : *list) {
    std::string path = Text(column, "jsonPath");
    std::string description = Text(column, "description");
    if (description.empty()) {
      description = "Custom resource definition column (in JSONPath format): " + path;
    }
    columns.push_back({.name = Text(column, "name"),
                       .type = Text(column, "type"),
                       .json_path = std::move(path),
                       .format = Text(column, "format"),
                       .description = std::move(description),
                       .priority = static_cast<int>(kube::GetInt(column, "priority"))});
  }
  return columns;
}

std::vector<SelectableField> FieldsOf(const json::value& version) {
  std::vector<SelectableField> fields;
  const json::array* list = kube::GetArray(version, "selectableFields");
  if (list == nullptr) return fields;
  for (const json::value& field : *list) {
    std::string_view path = kube::GetString(field, "jsonPath");
    if (path.starts_with('.')) path.remove_prefix(1);
    fields.push_back({.path = std::string(path), .absent = ""});
  }
  return fields;
}

// The numbers of /scale are checked in the object too, whatever its schema says of them.
void CheckReplicas(const json::value& object, const std::string& path,
                   std::vector<kube::FieldError>& errors) {
  const json::value* found = kube::Find(object, std::string_view(path).substr(1));
  if (found == nullptr || !found->is_int64()) return;
  const std::int64_t replicas = found->get_int64();
  if (replicas < 0) {
    errors.push_back(kube::InvalidError(path, *found, "should be a non-negative integer"));
  } else if (replicas > std::numeric_limits<std::int32_t>::max()) {
    errors.push_back(
        kube::InvalidError(path, *found, "should be less than or equal to 2147483647"));
  }
}

void AddSubresources(const json::value& version, Resource& resource) {
  const json::value* status = kube::Find(version, "subresources.status");
  if (status != nullptr && status->is_object()) {
    resource.has_status = true;
    resource.subresources.push_back({.name = "status", .kind = resource.kind, .verbs = kPartVerbs});
  }
  const json::value* scale = kube::Find(version, "subresources.scale");
  if (scale != nullptr && scale->is_object()) {
    resource.scale = ScalePaths{.spec_replicas = Text(*scale, "specReplicasPath"),
                                .status_replicas = Text(*scale, "statusReplicasPath"),
                                .label_selector = Text(*scale, "labelSelectorPath")};
    resource.subresources.push_back(
        {.name = "scale", .kind = {"autoscaling", "v1", "Scale"}, .verbs = kPartVerbs});
    resource.rules.validate = [paths = *resource.scale](const json::value& object,
                                                        const json::value* /*old*/) {
      std::vector<kube::FieldError> errors;
      CheckReplicas(object, paths.spec_replicas, errors);
      CheckReplicas(object, paths.status_replicas, errors);
      return errors;
    };
  }
}

// The newest served version that is not deprecated and newer than the given one.
std::string Successor(const json::value& crd, std::string_view version) {
  std::string best;
  for (const json::value& other : VersionsOf(crd)) {
    const std::string name = Text(other, "name");
    const bool good = kube::GetBool(other, "served") && !kube::GetBool(other, "deprecated") &&
                      IsPreferredVersion(name, version);
    if (good && (best.empty() || IsPreferredVersion(name, best))) best = name;
  }
  return best;
}

std::string DeprecationWarning(const json::value& crd, const json::value& version,
                               const kube::GroupVersionKind& kind) {
  if (!kube::GetBool(version, "deprecated")) return {};
  const json::value* said = kube::Find(version, "deprecationWarning");
  if (said != nullptr && said->is_string()) return std::string(said->get_string());
  std::string text = fmt::format("{} {} is deprecated", kind.ApiVersion(), kind.kind);
  const std::string better = Successor(crd, kind.version);
  if (!better.empty()) {
    text += fmt::format("; use {} {}", kube::ApiVersion(kind.group, better), kind.kind);
  }
  return text;
}

}  // namespace

Result<Resource> CommonResource(const json::value& crd) {
  if (kube::GetObject(crd, "spec.names") == nullptr) {
    return Fail(ErrorKind::kInvalid, "the definition names no kind");
  }
  const bool accepted = !kube::GetString(crd, "status.acceptedNames.plural").empty();
  const json::value& names = *kube::Find(crd, accepted ? "status.acceptedNames" : "spec.names");
  const std::string kind = Text(names, "kind");
  Resource common{.kind = {Text(crd, "spec.group"), "", kind},
                  .plural = Text(names, "plural"),
                  .singular = Text(names, "singular"),
                  .list_kind = Text(names, "listKind"),
                  .short_names = TextsAt(names, "shortNames"),
                  .categories = TextsAt(names, "categories"),
                  .namespaced = kube::GetString(crd, "spec.scope") == "Namespaced",
                  .verbs = kVerbs,
                  .custom = true,
                  .ending = IsConditionTrue(crd, "Terminating"),
                  .tracks_generation = true,
                  .storage_version = StorageVersionOf(crd)};
  if (common.plural.empty() || kind.empty() || common.storage_version.empty()) {
    return Fail(ErrorKind::kInvalid, "the definition lacks names or a storage version");
  }
  return common;
}

Result<std::vector<ResourcePtr>> ResourcesOf(const json::value& crd, const Serving& serving) {
  TRY(const Resource common, CommonResource(crd));
  std::vector<ResourcePtr> resources;
  for (const json::value& version : VersionsOf(crd)) {
    if (!kube::GetBool(version, "served")) continue;
    Resource resource = common;
    resource.converter = serving.converter;
    resource.schema_since = serving.since;
    resource.kind.version = Text(version, "name");
    resource.columns = ColumnsOf(version);
    resource.selectable_fields = FieldsOf(version);
    resource.deprecation_warning = DeprecationWarning(crd, version, resource.kind);
    AddSubresources(version, resource);
    TRY(kube::SchemaPtr schema, SchemaOf(crd, version));
    if (schema) resource.rules.judge = JudgeOf(*schema);
    resource.schema = [schema = std::move(schema)] { return schema; };
    resources.push_back(std::make_shared<const Resource>(std::move(resource)));
  }
  return resources;
}

}  // namespace millwright::apiserver
