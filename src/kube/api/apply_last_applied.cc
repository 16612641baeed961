#include "kube/api/apply_last_applied.h"

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/managed_fields.h"
#include "kube/api/typed_check.h"
#include "kube/api/typed_compare.h"
#include "kube/api/typed_fields.h"
#include "kube/api/typed_text.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

const json::object* ObjectAt(const json::object* parent, std::string_view name) {
  const json::value* value = parent == nullptr ? nullptr : parent->if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

const json::object* Annotations(const json::value& object) {
  return ObjectAt(ObjectAt(object.if_object(), "metadata"), "annotations");
}

std::string_view LastApplied(const json::value& object) {
  const json::object* annotations = Annotations(object);
  const json::value* value =
      annotations == nullptr ? nullptr : annotations->if_contains(kAnnotation);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::optional<json::value> ParseObject(std::string_view text) {
  auto value = ParseJson(text, {.max_depth = kMaxNesting});
  if (!value || !value->is_object()) return std::nullopt;
  return *std::move(value);
}

bool IsOfVersion(const json::value& object, std::string_view api_version) {
  const json::value* value = object.get_object().if_contains("apiVersion");
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text != nullptr && std::string_view(*text) == api_version;
}

}  // namespace

bool MovesFromClientSide(const FieldWriter& writer) { return writer.manager == "kubectl"; }

std::optional<FieldSet> AppliedByClient(const Shape& shape, const json::value& live,
                                        const std::string& api_version) {
  const std::string_view text = LastApplied(live);
  const auto applied = text.empty() ? std::nullopt : ParseObject(text);
  if (!applied || !IsOfVersion(*applied, api_version)) return std::nullopt;
  const bool fits = CheckShape(shape, *applied, Duplicates::kRefused) &&
                    CheckShape(shape, live, Duplicates::kRefused);
  if (!fits) return std::nullopt;
  const Comparison change = Compare(shape, *applied, live);
  return FieldsOf(shape, *applied)
      .Difference(change.modified)
      .Difference(change.added)
      .Difference(change.removed);
}

void RefreshLastApplied(const json::value& configuration, json::value& object) {
  if (LastApplied(object).empty()) return;
  json::value applied = WithoutManagedFields(configuration);
  if (Annotations(applied) != nullptr) {
    applied.get_object()["metadata"].get_object()["annotations"].get_object().erase(kAnnotation);
  }
  object.get_object()["metadata"].get_object()["annotations"].get_object()[kAnnotation] =
      JsonText(applied) + "\n";
}

}  // namespace millwright::kube
