#include "cli/guarded_pages.h"

#include <openssl/sha.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "net/server_message.h"

namespace millwright::cli {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kTokenReviews{"authentication.k8s.io", "v1", "tokenreviews"};
const kube::GroupVersionResource kAccessReviews{"authorization.k8s.io", "v1",
                                                "subjectaccessreviews"};
// A scraper comes every few seconds. What was refused may be allowed soon.
constexpr Duration kAllowedFor = std::chrono::minutes(1);
constexpr Duration kRefusedFor = std::chrono::seconds(10);
constexpr std::size_t kMostKnown = 1000;

// Tokens are not kept.
std::string DigestOf(const std::string& token, const std::string& path) {
  const std::string text = path + " " + token;
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::string TokenOf(const net::HttpRequest& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const auto value = request.headers.Find("Authorization");
  if (!value || !value->starts_with(kScheme)) return "";
  return std::string(value->substr(kScheme.size()));
}

json::object AccessReview(const json::value& user, const std::string& path) {
  json::object spec{{"user", kube::GetString(user, "username")},
                    {"nonResourceAttributes", {{"path", path}, {"verb", "get"}}}};
  for (const char* key : {"groups", "uid", "extra"}) {
    if (const json::value* value = user.as_object().if_contains(key)) spec[key] = *value;
  }
  return {{"apiVersion", "authorization.k8s.io/v1"},
          {"kind", "SubjectAccessReview"},
          {"spec", std::move(spec)}};
}

}  // namespace

Task<Result<GuardedPages::Verdict>> GuardedPages::Ask(const std::string& token,
                                                      const std::string& path) {
  const json::object review{{"apiVersion", "authentication.k8s.io/v1"},
                            {"kind", "TokenReview"},
                            {"spec", {{"token", token}}}};
  CO_TRY(const kube::Document who,
         co_await client_.Create(kTokenReviews, {}, json::serialize(review)));
  CO_TRY(const json::value seen, who.Tree());
  const json::value* user = kube::Find(seen, "status.user");
  if (!kube::GetBool(seen, "status.authenticated") || user == nullptr || !user->is_object()) {
    co_return Verdict::kUnknown;
  }
  CO_TRY(const kube::Document may,
         co_await client_.Create(kAccessReviews, {}, json::serialize(AccessReview(*user, path))));
  CO_TRY(const json::value judged, may.Tree());
  co_return kube::GetBool(judged, "status.allowed") ? Verdict::kAllowed : Verdict::kForbidden;
}

Task<Result<GuardedPages::Verdict>> GuardedPages::Judge(std::string token, std::string path) {
  const std::string digest = DigestOf(token, path);
  const auto known = known_.find(digest);
  if (known != known_.end() && clock_.Elapsed() < known->second.until) {
    co_return known->second.verdict;
  }
  CO_TRY(const Verdict verdict, co_await Ask(token, path));
  if (known_.size() >= kMostKnown) known_.clear();
  const Duration holds = verdict == Verdict::kAllowed ? kAllowedFor : kRefusedFor;
  known_[digest] = {verdict, clock_.Elapsed() + holds};
  co_return verdict;
}

Task<net::ServerResponse> GuardedPages::Handle(net::ServerRequest request) {
  net::ServerResponse response;
  const std::string token = TokenOf(request.http);
  if (token.empty()) {
    response.http = net::PlainAnswer(401, "a token is needed");
    co_return response;
  }
  const std::string path = request.http.target.substr(0, request.http.target.find('?'));
  const Result<Verdict> verdict = co_await Judge(token, path);
  if (!verdict) {
    response.http = net::PlainAnswer(500, "the API server could not be asked");
  } else if (*verdict == Verdict::kUnknown) {
    response.http = net::PlainAnswer(401, "this token is nobody's");
  } else if (*verdict == Verdict::kForbidden) {
    response.http = net::PlainAnswer(403, "not allowed to get " + path);
  } else {
    co_return co_await pages_.Handle(std::move(request));
  }
  co_return response;
}

}  // namespace millwright::cli
