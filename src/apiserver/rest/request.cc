#include "apiserver/rest/request.h"

#include <span>

namespace millwright::apiserver {

namespace {

bool IsNamespaceEndpoint(std::string_view name) { return name == "status" || name == "finalize"; }

}  // namespace

std::optional<Place> PlaceOf(const net::Target& target) {
  std::span<const std::string> rest = target.segments;
  Place place;
  if (rest.size() >= 3 && rest[0] == "api") {
    place.version = rest[1];
    rest = rest.subspan(2);
  } else if (rest.size() >= 4 && rest[0] == "apis") {
    place.group = rest[1];
    place.version = rest[2];
    rest = rest.subspan(3);
  } else {
    return std::nullopt;
  }
  const bool below_namespace =
      rest[0] == "namespaces" && rest.size() >= 3 &&
      !(place.group.empty() && rest.size() == 3 && IsNamespaceEndpoint(rest[2]));
  if (below_namespace) {
    place.namespace_ = rest[1];
    rest = rest.subspan(2);
  }
  if (rest.size() > 3) return std::nullopt;
  place.resource = rest[0];
  if (rest.size() > 1) place.name = rest[1];
  if (rest.size() > 2) place.subresource = rest[2];
  // The namespace is itself the object: authorization asks in it.
  if (place.group.empty() && place.resource == "namespaces") place.namespace_ = place.name;
  return place;
}

bool IsWatch(const net::Target& target) {
  const auto watch = target.Find("watch");
  return watch && *watch != "0" && *watch != "f" && *watch != "F" && *watch != "false" &&
         *watch != "FALSE" && *watch != "False";
}

std::string_view VerbOf(std::string_view method, const Place& place, bool watch) {
  if (method == "GET" || method == "HEAD") {
    if (watch) return "watch";
    return place.name.empty() ? "list" : "get";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return place.name.empty() ? "deletecollection" : "delete";
  return "";
}

}  // namespace millwright::apiserver
