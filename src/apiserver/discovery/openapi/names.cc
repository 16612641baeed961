#include "apiserver/discovery/openapi/names.h"

#include <cctype>
#include <ranges>

namespace millwright::apiserver::openapi {

namespace {

// "RbacAuthorization".
std::string GroupWords(std::string_view group) {
  constexpr std::string_view kOwn = ".k8s.io";
  if (group.empty()) return "Core";
  if (group.ends_with(kOwn)) group.remove_suffix(kOwn.size());
  std::string words;
  for (const auto part : std::views::split(group, '.')) {
    words += Capitalized({part.begin(), part.end()});
  }
  return words;
}

}  // namespace

std::string Capitalized(std::string_view word) {
  std::string text(word);
  if (!text.empty()) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  }
  return text;
}

std::string CustomDefinitionName(const kube::GroupVersionKind& kind) {
  std::string name;
  for (const auto part : std::views::split(kind.group, '.')) {
    name = std::string(part.begin(), part.end()) + "." + name;
  }
  return name + kind.version + "." + kind.kind;
}

std::string OperationPlace(const kube::GroupVersionKind& kind) {
  return GroupWords(kind.group) + Capitalized(kind.version);
}

std::string OperationTag(const kube::GroupVersionKind& kind) {
  std::string tag = GroupWords(kind.group) + "_" + kind.version;
  tag.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(tag.front())));
  return tag;
}

}  // namespace millwright::apiserver::openapi
