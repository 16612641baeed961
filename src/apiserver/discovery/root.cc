#include "apiserver/discovery/root.h"

#include <set>
#include <string>

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

void AddGroup(const Registry::Group& group, std::set<std::string>& paths) {
  const std::string root = group.name.empty() ? "/api" : "/apis/" + group.name;
  paths.insert(root);
  for (const Registry::Version& version : group.versions) paths.insert(root + "/" + version.name);
}

}  // namespace

json::object RootDocument(const Registry& registry, const std::vector<HealthCheck>& checks) {
  std::set<std::string> paths = {"/api",        "/apis",       "/apis/",       "/metrics",
                                 "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"};
  for (const Registry::Group& group : registry.groups()) AddGroup(group, paths);
  for (const std::string probe : {"healthz", "livez", "readyz"}) {
    paths.insert("/" + probe);
    for (const HealthCheck& check : ChecksOf(checks, probe)) {
      paths.insert("/" + probe + "/" + check.name);
    }
  }
  json::array sorted;
  for (const std::string& path : paths) sorted.emplace_back(path);
  return {{"paths", std::move(sorted)}};
}

}  // namespace millwright::apiserver
