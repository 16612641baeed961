#include "admission/admission_review.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "admission/json_diff.h"
#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::admission {

namespace json = boost::json;

namespace {

constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";
constexpr std::string_view kReviewKind = "AdmissionReview";

std::optional<json::object> ObjectAt(const json::value& root, std::string_view path) {
  const json::object* object = kube::GetObject(root, path);
  return object != nullptr ? std::optional(*object) : std::nullopt;
}

}  // namespace

Result<AdmissionQuestion> ReadAdmissionReview(std::string_view body) {
  TRY(const json::value review, kube::ParseJson(body));
  if (kube::GetString(review, "kind") != kReviewKind ||
      kube::GetString(review, "apiVersion") != kReviewVersion) {
    return Fail(ErrorKind::kInvalid, "is not an AdmissionReview of admission.k8s.io/v1");
  }
  AdmissionQuestion question{
      .uid = std::string(kube::GetString(review, "request.uid")),
      .kind = {.group = std::string(kube::GetString(review, "request.kind.group")),
               .version = std::string(kube::GetString(review, "request.kind.version")),
               .kind = std::string(kube::GetString(review, "request.kind.kind"))},
      .operation = std::string(kube::GetString(review, "request.operation")),
      .object = ObjectAt(review, "request.object"),
      .old = ObjectAt(review, "request.oldObject")};
  if (question.uid.empty()) return Fail(ErrorKind::kInvalid, "has no request with a uid");
  return question;
}

std::string WriteAdmissionReview(const AdmissionQuestion& question, const AdmissionAnswer& answer) {
  json::object response{{"uid", question.uid}, {"allowed", !answer.refusal.has_value()}};
  if (answer.refusal) response["status"] = kube::EncodeStatus(*answer.refusal);
  if (!answer.refusal && answer.changed && question.object) {
    const json::array patch = DiffObjects(*question.object, *answer.changed);
    if (!patch.empty()) {
      response["patchType"] = "JSONPatch";
      response["patch"] = EncodeBase64(json::serialize(patch));
    }
  }
  return json::serialize(json::object{
      {"apiVersion", kReviewVersion}, {"kind", kReviewKind}, {"response", std::move(response)}});
}

}  // namespace millwright::admission
