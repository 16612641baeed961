#include "kube/api/resource_version.h"

#include <algorithm>
#include <string_view>

namespace millwright::kube {
namespace {

bool IsNumber(std::string_view text) {
  return !text.empty() && text.front() != '0' &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::partial_ordering CompareResourceVersions(const ResourceVersion& a, const ResourceVersion& b) {
  if (a == b) return std::partial_ordering::equivalent;
  if (!IsNumber(a.str()) || !IsNumber(b.str())) return std::partial_ordering::unordered;
  if (a.str().size() != b.str().size()) return a.str().size() <=> b.str().size();
  return a.str() <=> b.str();
}

}  // namespace millwright::kube
