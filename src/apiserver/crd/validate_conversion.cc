#include <fmt/format.h>

#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "apiserver/crd/validate_parts.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kPath = "spec.conversion";

void CheckUrl(std::string_view url, const std::string& path, FieldErrors& errors) {
  const std::string form = "; desired format: https://host[/path]";
  const auto invalid = [&](std::string_view value, std::string detail) {
    errors.push_back(kube::InvalidError(path, json::value(value), std::move(detail)));
  };
  const auto colon = url.find("://");
  const std::string_view scheme =
      colon == std::string_view::npos ? std::string_view() : url.substr(0, colon);
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : url.substr(colon + 3);
  const auto take = [&](char mark) {
    const auto at = rest.find(mark);
    if (at == std::string_view::npos) return std::string_view();
    const std::string_view tail = rest.substr(at + 1);
    rest = rest.substr(0, at);
    return tail;
  };
  const std::string_view fragment = take('#');
  const std::string_view query = take('?');
  std::string_view host = rest.substr(0, rest.find('/'));
  std::string_view user;
  if (const auto at = host.rfind('@'); at != std::string_view::npos) {
    user = host.substr(0, at);
    host = host.substr(at + 1);
  }
  if (scheme != "https") invalid(scheme, "'https' is the only allowed URL scheme" + form);
  if (host.empty()) invalid(host, "host must be specified" + form);
  if (!user.empty()) invalid(user, "user information is not permitted in the URL");
  if (!fragment.empty()) invalid(fragment, "fragments are not permitted in the URL");
  if (!query.empty()) invalid(query, "query parameters are not permitted in the URL");
}

void CheckServicePath(std::string_view path, const std::string& at, FieldErrors& errors) {
  if (path.empty() || path == "/") return;
  const auto invalid = [&](std::string detail) {
    errors.push_back(kube::InvalidError(at, json::value(path), std::move(detail)));
  };
  if (path == "//") {
    invalid("segment[0] may not be empty");
    return;
  }
  if (!path.starts_with('/')) invalid("must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (int i = 0;; ++i) {
    const auto slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    if (step.empty()) {
      invalid(fmt::format("segment[{}] may not be empty", i));
    } else {
      for (const std::string& complaint : kube::CheckDns1123Subdomain(step)) {
        invalid(fmt::format("segment[{}]: {}", i, complaint));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void CheckService(const json::value& service, const std::string& path, FieldErrors& errors) {
  for (const char* name : {"name", "namespace"}) {
    if (kube::GetString(service, name).empty()) {
      errors.push_back(kube::RequiredError(kube::PathChild(path, name), ""));
    }
  }
  const std::int64_t port = kube::GetInt(service, "port");
  if (port < 1 || port > 65535) {
    errors.push_back(kube::InvalidError(kube::PathChild(path, "port"), json::value(port),
                                        "port is not valid: must be between 1 and 65535, "
                                        "inclusive"));
  }
  CheckServicePath(kube::GetString(service, "path"), kube::PathChild(path, "path"), errors);
}

void CheckClient(const json::value* client, FieldErrors& errors) {
  const std::string path = kube::PathChild(kPath, "webhookClientConfig");
  if (client == nullptr || !client->is_object()) {
    errors.push_back(kube::RequiredError(path, "required when strategy is set to Webhook"));
    return;
  }
  const json::value* url = kube::Find(*client, "url");
  const json::value* service = kube::Find(*client, "service");
  const bool has_url = url != nullptr && url->is_string();
  const bool has_service = service != nullptr && service->is_object();
  if (has_url == has_service) {
    errors.push_back(kube::RequiredError(path, "exactly one of url or service is required"));
  } else if (has_url) {
    CheckUrl(url->get_string(), kube::PathChild(path, "url"), errors);
  } else {
    CheckService(*service, kube::PathChild(path, "service"), errors);
  }
}

void CheckReviewVersions(const std::vector<std::string>& versions, FieldErrors& errors) {
  const std::string path = kube::PathChild(kPath, "conversionReviewVersions");
  if (versions.empty()) {
    errors.push_back(kube::RequiredError(path, ""));
    return;
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const std::string at = kube::PathIndex(path, i);
    if (!seen.insert(versions[i]).second) {
      errors.push_back(kube::InvalidError(at, json::value(versions[i]), "duplicate version"));
      continue;
    }
    for (const std::string& complaint : kube::CheckDns1035Label(versions[i])) {
      errors.push_back(kube::InvalidError(at, json::value(versions[i]), complaint));
    }
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    errors.push_back(kube::InvalidError(path, json::array(versions.begin(), versions.end()),
                                        "must include at least one of v1, v1beta1"));
  }
}

}  // namespace

void CheckConversion(const json::value& crd, bool /*established*/, FieldErrors& errors) {
  const json::value* conversion = kube::Find(crd, kPath);
  if (conversion == nullptr || !conversion->is_object()) return;
  const std::string_view strategy = kube::GetString(*conversion, "strategy");
  const std::string at = kube::PathChild(kPath, "strategy");
  if (strategy.empty()) {
    errors.push_back(kube::RequiredError(at, ""));
  } else if (strategy != "None" && strategy != "Webhook") {
    errors.push_back(kube::NotSupportedError(at, json::value(strategy), {"None", "Webhook"}));
  }
  const json::value* client = kube::Find(*conversion, "webhook.clientConfig");
  const std::vector<std::string> versions =
      TextsAt(*conversion, "webhook.conversionReviewVersions");
  if (strategy == "Webhook") {
    CheckClient(client, errors);
    CheckReviewVersions(versions, errors);
    return;
  }
  const std::string detail = "should not be set when strategy is not set to Webhook";
  if (client != nullptr && client->is_object()) {
    errors.push_back(kube::ForbiddenError(kube::PathChild(kPath, "webhookClientConfig"), detail));
  }
  if (!versions.empty()) {
    errors.push_back(
        kube::ForbiddenError(kube::PathChild(kPath, "conversionReviewVersions"), detail));
  }
}

}  // namespace millwright::apiserver
