#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "apiserver/crd/validate_parts.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

void CheckKindName(std::string_view kind, const std::string& path, FieldErrors& errors) {
  std::string lower(kind);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const kube::Complaints complaints = kube::CheckDns1035Label(lower);
  if (kind.empty() || complaints.empty()) return;
  errors.push_back(
      kube::InvalidError(path, json::value(kind),
                         fmt::format("may have mixed case, but should otherwise match: {}",
                                     fmt::join(complaints, ","))));
}

void CheckEach(const json::value& names, const std::string& path, const char* list,
               FieldErrors& errors) {
  const std::vector<std::string> texts = TextsAt(names, list);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CheckLabelName(texts[i], kube::PathIndex(kube::PathChild(path, list), i), errors);
  }
}

}  // namespace

void CheckLabelName(std::string_view name, const std::string& path, FieldErrors& errors,
                    std::string_view prefix) {
  const kube::Complaints complaints = kube::CheckDns1035Label(name);
  if (complaints.empty()) return;
  errors.push_back(kube::InvalidError(path, json::value(name),
                                      fmt::format("{}{}", prefix, fmt::join(complaints, ","))));
}

void CheckNames(const json::value& names, const std::string& path, FieldErrors& errors) {
  for (const char* name : {"plural", "singular"}) {
    const std::string_view text = kube::GetString(names, name);
    if (!text.empty()) CheckLabelName(text, kube::PathChild(path, name), errors);
  }
  const std::string_view kind = kube::GetString(names, "kind");
  const std::string_view list_kind = kube::GetString(names, "listKind");
  CheckKindName(kind, kube::PathChild(path, "kind"), errors);
  CheckKindName(list_kind, kube::PathChild(path, "listKind"), errors);
  CheckEach(names, path, "shortNames", errors);
  if (!kind.empty() && kind == list_kind) {
    errors.push_back(kube::InvalidError(kube::PathChild(path, "listKind"), json::value(list_kind),
                                        "kind and listKind may not be the same"));
  }
  CheckEach(names, path, "categories", errors);
}

}  // namespace millwright::apiserver
