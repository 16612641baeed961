#include "apiserver/auth/authz/access.h"

#include <fmt/format.h>

#include "apiserver/rest/failures.h"
#include "kube/api/field_selector.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace {

using kube::QuotedText;

// A browser that shows the message must not take it for a page.
std::string WithoutMarkup(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string What(const User& user, const Access& about) {
  if (!about.IsAboutResource()) {
    return fmt::format("User {} cannot {} path {}", QuotedText(user.name), about.verb,
                       QuotedText(about.path));
  }
  std::string resource = about.resource;
  if (!about.subresource.empty()) resource += "/" + about.subresource;
  const std::string where = about.namespace_.empty()
                                ? "at the cluster scope"
                                : "in the namespace " + QuotedText(about.namespace_);
  return fmt::format("User {} cannot {} resource {} in API group {} {}", QuotedText(user.name),
                     about.verb, QuotedText(resource), QuotedText(about.group), where);
}

std::string Subject(const Access& about) {
  if (about.resource.empty() && about.group.empty()) return "";
  std::string subject = about.resource;
  if (!about.group.empty()) subject += "." + about.group;
  if (!about.name.empty()) subject += " " + QuotedText(about.name);
  return subject + " is ";
}

}  // namespace

Access AccessTo(std::string_view verb, const Place& place, std::string_view field_selector) {
  Access access{.verb = std::string(verb),
                .group = place.group,
                .version = place.version,
                .resource = place.resource,
                .subresource = place.subresource,
                .namespace_ = place.namespace_,
                .name = place.name};
  const bool of_many = verb == "list" || verb == "watch" || verb == "deletecollection";
  if (field_selector.empty() || !of_many) return access;
  access.field_selector = field_selector;
  const auto fields = kube::ParseFieldSelector(field_selector);
  const std::string* name = fields ? fields->RequiredValue("metadata.name") : nullptr;
  if (name != nullptr && access.name.empty()) access.name = *name;
  return access;
}

Access AccessToPath(std::string_view method, std::string_view path) {
  std::string verb(method);
  for (char& c : verb) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return {.verb = std::move(verb), .path = path.empty() ? "/" : std::string(path)};
}

Failure ForbiddenTo(const User& user, const Access& access, std::string_view reason) {
  std::string why = WithoutMarkup(What(user, access));
  if (!reason.empty()) why += ": " + std::string(reason);
  kube::StatusDetails details;
  details.name = access.name;
  details.group = access.group;
  details.kind = access.resource;
  return Refuse({.status = "Failure",
                 .message = Subject(access) + "forbidden: " + why,
                 .reason = "Forbidden",
                 .details = std::move(details),
                 .code = 403});
}

}  // namespace millwright::apiserver
