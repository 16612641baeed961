// Whatever a name, namespace or selector holds, a request goes where it should and nowhere else.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kube/client/request.h"
#include "net/url.h"

using namespace millwright;
using namespace millwright::kube;

namespace {

// The text up to the next line end.
std::string Next(std::string_view& text) {
  const std::size_t cut = text.find('\n');
  const std::string part(text.substr(0, cut));
  text = cut == text.npos ? std::string_view() : text.substr(cut + 1);
  return part;
}

bool HasControl(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  }
  return false;
}

// The server's view of the target: decoded, as our own server takes it apart.
void CheckTarget(const net::HttpRequest& request, const std::vector<std::string>& segments,
                 const std::vector<net::QueryParameter>& query) {
  // Nothing that could end the line or the path early.
  for (const char c : request.target) {
    if (c <= ' ' || c > '~' || c == '#') std::abort();
  }
  const auto target = net::ParseTarget(request.target);
  if (!target) {
    // Our server takes no control characters in paths, not even escaped ones.
    for (const std::string& segment : segments) {
      if (HasControl(segment)) return;
    }
    std::abort();
  }
  if (target->segments != segments || target->query != query) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string space = Next(text);
  const std::string name = Next(text);
  const std::string selector = Next(text);
  const std::string token = Next(text);
  // Empty ones mean that there is none.
  if (space.empty() || name.empty() || selector.empty() || token.empty()) return 0;
  const GroupVersionResource resource{"apps", "v1", "deployments"};

  std::vector<std::string> path{"apis", "apps", "v1", "namespaces", space, "deployments"};
  CheckTarget(
      ListRequest(resource,
                  {.namespace_ = space, .label_selector = selector, .continue_token = token}),
      path, {{"labelSelector", selector}, {"continue", token}});
  CheckTarget(CreateRequest(resource, {space, name}, "", {.field_manager = token}), path,
              {{"fieldManager", token}});
  path.push_back(name);
  CheckTarget(GetRequest(resource, {space, name}), path, {});
  CheckTarget(DeleteRequest(resource, {space, name}, {}), path, {});
  path.emplace_back("status");
  CheckTarget(UpdateRequest(resource, {space, name}, "", {.subresource = "status"}), path, {});
  CheckTarget(EvictRequest({space, name}, {}),
              {"api", "v1", "namespaces", space, "pods", name, "eviction"}, {});
  return 0;
}
