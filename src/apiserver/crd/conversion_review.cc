#include "apiserver/crd/conversion_review.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/labels.h"
#include "kube/api/names.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

Failure Wrong(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

std::string ReviewApiVersion(const ConversionRequest& request) {
  return "apiextensions.k8s.io/" + request.review_version;
}

Result<void> CheckSame(const json::value& original, const json::value& converted) {
  const std::pair<const char*, const char*> fields[] = {{"kind", "kind"},
                                                        {"metadata.name", "name"},
                                                        {"metadata.namespace", "namespace"},
                                                        {"metadata.uid", "UID"}};
  for (const auto& [path, name] : fields) {
    const std::string_view before = kube::GetString(original, path);
    const std::string_view after = kube::GetString(converted, path);
    if (before != after) {
      return Wrong(fmt::format("must have the same {}: {} != {}", name, before, after));
    }
  }
  return Ok();
}

Result<void> CheckTexts(const json::object& texts, const std::string& name) {
  std::vector<kube::FieldError> errors;
  kube::Labels all;
  const auto complain = [&](std::string_view value, const kube::Complaints& complaints) {
    for (const std::string& complaint : complaints) {
      errors.push_back(kube::InvalidError("metadata." + name, json::value(value), complaint));
    }
  };
  for (const auto& [key, value] : texts) {
    if (!value.is_string()) {
      return Wrong(fmt::format("metadata.{}[{}] must be a string in converted object", name,
                               std::string_view(key)));
    }
    const std::string_view text = value.get_string();
    all.emplace(key, std::string(text));
    if (name == "labels") {
      complain(key, kube::CheckQualifiedName(key));
      complain(text, kube::CheckLabelValue(text));
    } else {
      complain(key, kube::CheckAnnotationKey(key));
    }
  }
  if (name == "annotations") complain("", kube::CheckAnnotationsSize(all));
  if (errors.empty()) return Ok();
  return Failure(kube::InvalidFields(std::move(errors)));
}

Result<void> RestoreMetadata(const json::value& original, json::value& converted) {
  const json::object* said = kube::GetObject(converted, "metadata");
  if (said == nullptr) return Wrong("missing metadata in converted object");
  const json::object* before = kube::GetObject(original, "metadata");
  json::object restored = before == nullptr ? json::object() : *before;
  for (const char* name : {"labels", "annotations"}) {
    const json::value* texts = said->if_contains(name);
    if (texts == nullptr || texts->is_null()) {
      restored.erase(name);
      continue;
    }
    if (!texts->is_object()) {
      return Wrong(fmt::format("invalid metadata.{} in converted object", name));
    }
    CHECK_OK(CheckTexts(texts->get_object(), name));
    restored[name] = *texts;
  }
  converted.get_object()["metadata"] = std::move(restored);
  return Ok();
}

Result<void> Accept(const ConversionRequest& request, const json::value& original,
                    json::value& converted) {
  if (!converted.is_object()) return Wrong("not an object");
  const std::string_view version = kube::GetString(converted, "apiVersion");
  if (version != request.api_version) {
    return Wrong(fmt::format("invalid groupVersion (expected {}, received {})", request.api_version,
                             version));
  }
  CHECK_OK(CheckSame(original, converted));
  return RestoreMetadata(original, converted);
}

}  // namespace

std::string WriteReview(const ConversionRequest& request) {
  json::array objects(request.objects.begin(), request.objects.end());
  return json::serialize(json::object{{"kind", "ConversionReview"},
                                      {"apiVersion", ReviewApiVersion(request)},
                                      {"request",
                                       {{"uid", request.uid},
                                        {"desiredAPIVersion", request.api_version},
                                        {"objects", std::move(objects)}}}});
}

Result<std::vector<json::value>> ReadReview(const ConversionRequest& request,
                                            std::string_view answer) {
  TRY(const json::value review, kube::ParseJson(answer));
  const bool checked = request.review_version == "v1";
  const std::string_view version = kube::GetString(review, "apiVersion");
  const std::string_view kind = kube::GetString(review, "kind");
  if (checked && (version != ReviewApiVersion(request) || kind != "ConversionReview")) {
    return Wrong(
        fmt::format("expected webhook response of {}, Kind=ConversionReview, got {}, "
                    "Kind={}",
                    ReviewApiVersion(request), version, kind));
  }
  if (kube::GetObject(review, "response") == nullptr) return Wrong("no response provided");
  const std::string_view uid = kube::GetString(review, "response.uid");
  if (checked && uid != request.uid) {
    return Wrong(fmt::format("expected response.uid=\"{}\", got \"{}\"", request.uid, uid));
  }
  const std::string_view status = kube::GetString(review, "response.result.status");
  if (status != "Success") {
    const std::string_view message = kube::GetString(review, "response.result.message");
    if (!message.empty()) return Wrong(std::string(message));
    return Wrong(fmt::format("response.result.status was '{}', not 'Success'", status));
  }
  const json::array* list = kube::GetArray(review, "response.convertedObjects");
  const std::size_t count = list == nullptr ? 0 : list->size();
  if (count != request.objects.size()) {
    return Wrong(fmt::format("returned {} objects, expected {}", count, request.objects.size()));
  }
  std::vector<json::value> converted;
  for (std::size_t i = 0; i < count; ++i) {
    converted.push_back((*list)[i]);
    const auto accepted = Accept(request, request.objects[i], converted.back());
    if (!accepted) {
      return Wrong(fmt::format("returned invalid converted object at index {}: {}", i,
                               accepted.error().message()));
    }
  }
  return converted;
}

}  // namespace millwright::apiserver
