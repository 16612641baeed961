#include "kube/api/group_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace millwright::kube {
namespace {

std::vector<std::string> SplitAtSlashes(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t slash = text.find('/');
    parts.emplace_back(text.substr(0, slash));
    if (slash == text.npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

bool HasEmptyPart(const std::vector<std::string>& parts) {
  return std::ranges::any_of(parts, &std::string::empty);
}

bool IsUnreserved(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  constexpr std::string_view kOthers = "0123456789-._~$&+=:@";
  return letter || kOthers.find(c) != kOthers.npos;
}

}  // namespace

std::string ApiVersion(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

Result<GroupVersionKind> ParseGroupVersionKind(std::string_view api_version,
                                               std::string_view kind) {
  auto parts = SplitAtSlashes(api_version);
  if (parts.size() > 2 || HasEmptyPart(parts)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("apiVersion '{}' is neither v1 nor group/version", api_version));
  }
  if (kind.empty()) return Fail(ErrorKind::kInvalid, "kind is missing");
  if (parts.size() == 1) parts.insert(parts.begin(), "");
  return GroupVersionKind{std::move(parts[0]), std::move(parts[1]), std::string(kind)};
}

Result<GroupVersionResource> ParseGroupVersionResource(std::string_view text) {
  auto parts = SplitAtSlashes(text);
  if (parts.size() < 2 || parts.size() > 3 || HasEmptyPart(parts)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("'{}' is neither version/resource nor group/version/resource", text));
  }
  if (parts.size() == 2) parts.insert(parts.begin(), "");
  return GroupVersionResource{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
}

std::string ResourcePath(const GroupVersionResource& resource, std::string_view namespace_,
                         std::string_view name, std::string_view subresource) {
  std::string path = resource.group.empty() ? "/api" : "/apis";
  const auto append = [&path](std::string_view segment) {
    if (!segment.empty()) (path += '/') += EncodePathSegment(segment);
  };
  append(resource.group);
  append(resource.version);
  if (!namespace_.empty()) append("namespaces");
  append(namespace_);
  append(resource.resource);
  append(name);
  append(subresource);
  return path;
}

std::string EncodePathSegment(std::string_view segment) {
  // Dots alone would be eaten by whoever normalises the path on the way.
  const bool only_dots = segment == "." || segment == "..";
  std::string encoded;
  for (const char c : segment) {
    if (IsUnreserved(c) && !only_dots) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace millwright::kube
