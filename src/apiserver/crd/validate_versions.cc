#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "apiserver/crd/validate_parts.h"
#include "apiserver/crd/validate_schema.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxWarning = 256;
constexpr std::size_t kMaxSelectableFields = 8;

const json::value& Member(const json::value& version, std::string_view name) {
  static const json::value kNull;
  const json::value* found = kube::Find(version, name);
  return found == nullptr ? kNull : *found;
}

// All versions say the same here, or all say nothing.
bool IsShared(const json::value& crd, std::string_view name) {
  const json::array& versions = VersionsOf(crd);
  return std::ranges::all_of(versions, [&](const json::value& version) {
    return Member(version, name) == Member(versions.front(), name);
  });
}

bool HasStatus(const json::value& version) {
  return Member(version, "subresources.status").is_object();
}

void CheckDeprecation(const json::value& version, const std::string& path, FieldErrors& errors) {
  const json::value& warning = Member(version, "deprecationWarning");
  if (!warning.is_string()) return;
  const std::string_view text = warning.get_string();
  const auto complain = [&](std::string detail) {
    errors.push_back(kube::InvalidError(kube::PathChild(path, "deprecationWarning"), warning,
                                        std::move(detail)));
  };
  if (!kube::GetBool(version, "deprecated")) {
    complain("can only be set for deprecated versions");
    return;
  }
  if (text.size() > kMaxWarning) complain("must be <= 256 characters long");
  if (text.empty()) complain("must not be an empty string");
  const auto odd =
      std::ranges::find_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (odd != text.end()) {
    complain(
        fmt::format("must only contain printable UTF-8 characters; non-printable character "
                    "found at index {}",
                    odd - text.begin()));
  }
}

void CheckPath(std::string_view text, const std::string& path, FieldErrors& errors) {
  if (text.starts_with('.')) return;
  errors.push_back(
      kube::InvalidError(path, json::value(text), "must be a simple json path starting with ."));
}

// One path of the endpoint /scale, below one of the roots.
void CheckScalePath(const json::value& scale, const char* name, bool required,
                    std::initializer_list<std::string_view> roots, std::string_view detail,
                    const std::string& parent, FieldErrors& errors) {
  const std::string path = parent + ".scale." + name;
  const std::string_view text = kube::GetString(scale, name);
  if (text.empty()) {
    if (required) errors.push_back(kube::RequiredError(path, ""));
    return;
  }
  const std::size_t before = errors.size();
  CheckPath(text, path, errors);
  const bool below =
      std::ranges::any_of(roots, [&](std::string_view root) { return text.starts_with(root); });
  if (errors.size() == before && !below) {
    errors.push_back(kube::InvalidError(path, json::value(text), std::string(detail)));
  }
}

void CheckSubresources(const json::value& subresources, const std::string& path,
                       FieldErrors& errors) {
  const json::value& scale = Member(subresources, "scale");
  if (!scale.is_object()) return;
  CheckScalePath(scale, "specReplicasPath", true, {".spec."}, "should be a json path under .spec",
                 path, errors);
  CheckScalePath(scale, "statusReplicasPath", true, {".status."},
                 "should be a json path under .status", path, errors);
  CheckScalePath(scale, "labelSelectorPath", false, {".spec.", ".status."},
                 "should be a json path under either .spec or .status", path, errors);
}

void CheckColumn(const json::value& column, const std::string& path, FieldErrors& errors) {
  static const std::set<std::string_view> kTypes = {"boolean", "date", "integer", "number",
                                                    "string"};
  static const std::set<std::string_view> kFormats = {"byte",  "date",  "date-time", "double",
                                                      "float", "int32", "int64",     "password"};
  if (kube::GetString(column, "name").empty()) {
    errors.push_back(kube::RequiredError(kube::PathChild(path, "name"), ""));
  }
  const std::string_view type = kube::GetString(column, "type");
  const std::string types = fmt::format("must be one of {}", fmt::join(kTypes, ","));
  if (type.empty()) {
    errors.push_back(kube::RequiredError(kube::PathChild(path, "type"), types));
  } else if (!kTypes.contains(type)) {
    errors.push_back(kube::InvalidError(kube::PathChild(path, "type"), json::value(type), types));
  }
  const std::string_view format = kube::GetString(column, "format");
  if (!format.empty() && !kFormats.contains(format)) {
    errors.push_back(
        kube::InvalidError(kube::PathChild(path, "format"), json::value(format),
                           fmt::format("must be one of {}", fmt::join(kFormats, ","))));
  }
  const std::string_view json_path = kube::GetString(column, "jsonPath");
  if (json_path.empty()) {
    errors.push_back(kube::RequiredError(kube::PathChild(path, "JSONPath"), ""));
  } else {
    CheckPath(json_path, kube::PathChild(path, "JSONPath"), errors);
  }
}

void CheckColumns(const json::value& columns, const std::string& path, FieldErrors& errors) {
  if (!columns.is_array()) return;
  for (std::size_t i = 0; i < columns.get_array().size(); ++i) {
    CheckColumn(columns.get_array()[i], kube::PathIndex(path, i), errors);
  }
}

void CheckSelectableFields(const json::value& version, const std::string& path,
                           FieldErrors& errors) {
  const json::value& fields = Member(version, "selectableFields");
  if (!fields.is_array() || fields.get_array().empty()) return;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < fields.get_array().size(); ++i) {
    const std::string at = kube::PathChild(kube::PathIndex(path, i), "jsonPath");
    const std::string text(kube::GetString(fields.get_array()[i], "jsonPath"));
    if (text.empty()) {
      errors.push_back(kube::RequiredError(at, ""));
      continue;
    }
    CheckSelectableField(Member(version, "schema.openAPIV3Schema"), text, at, errors);
    if (!seen.insert(text).second) errors.push_back(kube::DuplicateError(at, json::value(text)));
  }
  if (seen.size() > kMaxSelectableFields) {
    errors.push_back({.type = kube::FieldErrorType::kTooMany,
                      .field = path,
                      .bad_value = std::to_string(seen.size()),
                      .detail = fmt::format("must have at most {} items", kMaxSelectableFields)});
  }
}

void CheckSchemaPresence(const json::value& crd, FieldErrors& errors) {
  const json::array& versions = VersionsOf(crd);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (Member(versions[i], "schema.openAPIV3Schema").is_object()) continue;
    errors.push_back(
        kube::RequiredError(kube::PathIndex("spec.versions", i) + ".schema.openAPIV3Schema", ""));
  }
}

// As Go writes the type inside of the server, where shared parts stand elsewhere.
std::string ShownVersions(const json::value& crd) {
  static constexpr std::array<std::pair<const char*, const char*>, 4> kParts = {
      {{"Schema", "schema"},
       {"Subresources", "subresources"},
       {"AdditionalPrinterColumns", "additionalPrinterColumns"},
       {"SelectableFields", "selectableFields"}}};
  std::string text;
  for (const json::value& version : VersionsOf(crd)) {
    text += fmt::format(
        "{}{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},"
        "\"DeprecationWarning\":{}",
        text.empty() ? "" : ",", kube::JsonText(Member(version, "name")),
        kube::GetBool(version, "served"), kube::GetBool(version, "storage"),
        kube::GetBool(version, "deprecated"),
        kube::JsonText(Member(version, "deprecationWarning")));
    for (const auto& [shown, name] : kParts) {
      const bool shared = IsShared(crd, name);
      text +=
          fmt::format(",\"{}\":{}", shown, shared ? "null" : kube::JsonText(Member(version, name)));
    }
    text += '}';
  }
  return "[" + text + "]";
}

void CheckVersionList(const json::value& crd, FieldErrors& errors) {
  const auto complain = [&](const char* detail) {
    errors.push_back({.type = kube::FieldErrorType::kInvalid,
                      .field = "spec.versions",
                      .bad_value = ShownVersions(crd),
                      .detail = detail});
  };
  std::set<std::string_view> names;
  int stored = 0;
  bool unique = true;
  for (const json::value& version : VersionsOf(crd)) {
    unique &= names.insert(kube::GetString(version, "name")).second;
    stored += kube::GetBool(version, "storage") ? 1 : 0;
  }
  if (!unique) complain("must contain unique version names");
  if (stored != 1) complain("must have exactly one version marked as storage version");
}

}  // namespace

void CheckVersions(const json::value& crd, FieldErrors& errors) {
  CheckSchemaPresence(crd, errors);
  const json::array& versions = VersionsOf(crd);
  const bool schema = !IsShared(crd, "schema");
  const bool subresources = !IsShared(crd, "subresources");
  const bool columns = !IsShared(crd, "additionalPrinterColumns");
  const bool fields = !IsShared(crd, "selectableFields");
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const json::value& version = versions[i];
    const std::string path = kube::PathIndex("spec.versions", i);
    CheckLabelName(kube::GetString(version, "name"), path + ".name", errors);
    CheckDeprecation(version, path, errors);
    if (schema) {
      CheckSchema(Member(version, "schema.openAPIV3Schema"), HasStatus(version), path + ".schema",
                  errors);
    }
    if (subresources) {
      CheckSubresources(Member(version, "subresources"), path + ".subresources", errors);
    }
    if (columns) {
      CheckColumns(Member(version, "additionalPrinterColumns"), path + ".additionalPrinterColumns",
                   errors);
    }
    if (fields) CheckSelectableFields(version, path + ".selectableFields", errors);
  }
  CheckVersionList(crd, errors);
}

void CheckSharedParts(const json::value& crd, FieldErrors& errors) {
  const json::array& versions = VersionsOf(crd);
  if (versions.empty()) return;
  const json::value& version = versions.front();
  if (IsShared(crd, "schema")) {
    CheckSchema(Member(version, "schema.openAPIV3Schema"), std::ranges::any_of(versions, HasStatus),
                "spec.validation", errors);
  }
  if (IsShared(crd, "subresources")) {
    CheckSubresources(Member(version, "subresources"), "spec.subresources", errors);
  }
  if (IsShared(crd, "additionalPrinterColumns")) {
    CheckColumns(Member(version, "additionalPrinterColumns"), "spec.additionalPrinterColumns",
                 errors);
  }
  if (IsShared(crd, "selectableFields")) {
    CheckSelectableFields(version, "spec.selectableFields", errors);
  }
}

}  // namespace millwright::apiserver
