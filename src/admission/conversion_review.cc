#include "admission/conversion_review.h"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/api/json_text.h"

namespace millwright::admission {

namespace json = boost::json;

namespace {

constexpr std::string_view kReviewVersion = "apiextensions.k8s.io/v1";
constexpr std::string_view kReviewKind = "ConversionReview";

std::string_view TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

// Which one it was: the server shows this text to whoever asked.
std::string Describe(const json::object& object) {
  const json::value* metadata = object.if_contains("metadata");
  const json::object* fields = metadata != nullptr ? metadata->if_object() : nullptr;
  return fmt::format("{} {}/{}", TextOf(object, "kind"),
                     fields != nullptr ? TextOf(*fields, "namespace") : "",
                     fields != nullptr ? TextOf(*fields, "name") : "");
}

Result<json::array> ConvertAll(std::vector<json::object> objects, std::string_view api_version,
                               const ConvertObject& convert) {
  json::array converted;
  converted.reserve(objects.size());
  for (json::object& object : objects) {
    if (TextOf(object, "apiVersion") == api_version) {
      converted.push_back(std::move(object));
      continue;
    }
    const std::string name = Describe(object);
    auto made = convert(std::move(object), api_version);
    if (!made) return Failure(std::move(made).error().Wrap("converting " + name));
    converted.push_back(*std::move(made));
  }
  return converted;
}

}  // namespace

Result<ConversionQuestion> ReadConversionReview(std::string_view body) {
  TRY(json::value review, kube::ParseJson(body));
  if (kube::GetString(review, "kind") != kReviewKind ||
      kube::GetString(review, "apiVersion") != kReviewVersion) {
    return Fail(ErrorKind::kInvalid, "is not a ConversionReview of apiextensions.k8s.io/v1");
  }
  ConversionQuestion question{
      .uid = std::string(kube::GetString(review, "request.uid")),
      .api_version = std::string(kube::GetString(review, "request.desiredAPIVersion")),
      .objects = {}};
  if (question.uid.empty()) return Fail(ErrorKind::kInvalid, "has no request with a uid");
  const json::array* objects = kube::GetArray(review, "request.objects");
  if (objects == nullptr) return Fail(ErrorKind::kInvalid, "has no objects");
  question.objects.reserve(objects->size());
  for (const json::value& object : *objects) {
    if (!object.is_object()) return Fail(ErrorKind::kInvalid, "has an object that is none");
    question.objects.push_back(object.get_object());
  }
  return question;
}

std::string AnswerConversion(ConversionQuestion question, const ConvertObject& convert) {
  json::object response{{"uid", question.uid}};
  auto converted = ConvertAll(std::move(question.objects), question.api_version, convert);
  if (converted) {
    response["convertedObjects"] = *std::move(converted);
    response["result"] = json::object{{"status", "Success"}};
  } else {
    response["convertedObjects"] = json::array();
    response["result"] =
        json::object{{"status", "Failure"}, {"message", converted.error().message()}};
  }
  return json::serialize(json::object{
      {"apiVersion", kReviewVersion}, {"kind", kReviewKind}, {"response", std::move(response)}});
}

}  // namespace millwright::admission
