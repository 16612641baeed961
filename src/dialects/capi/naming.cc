#include "dialects/capi/naming.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/capi/label_value.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::dialects::capi {

namespace {

constexpr std::string_view kUsual = "{{ .machineSet.name }}-{{ .random }}";
constexpr std::string_view kRandom = "{{ .random }}";
constexpr size_t kMostCharacters = 63;
constexpr size_t kRandomCharacters = 5;
constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kMostNoteBytes = 1024;

void TrimEnd(std::string& text) { text.erase(text.find_last_not_of(kSpace) + 1); }

void TrimBegin(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
}

std::string_view Trimmed(std::string_view text) {
  TrimBegin(text);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

Result<std::string_view> ValueOf(std::string_view variable, const NameValues& values) {
  if (variable == ".cluster.name") return values.cluster;
  if (variable == ".machineSet.name") return values.set;
  if (variable == ".random") return values.random;
  return Fail(ErrorKind::kInvalid,
              fmt::format("\"{}\" is not known; there are .cluster.name, .machineSet.name and "
                          ".random",
                          variable));
}

// One "{{ ... }}" that begins a text: puts its value to the name and takes it from the text. A dash
// beside a brace takes away the blanks on that side.
Result<void> TakeAction(std::string_view& text, const NameValues& values, std::string& name) {
  const size_t end = text.find("}}");
  if (end == std::string_view::npos) return Fail(ErrorKind::kInvalid, "\"{{\" is not closed");
  std::string_view action = text.substr(2, end - 2);
  text.remove_prefix(end + 2);
  if (action.starts_with("- ")) {
    action.remove_prefix(1);
    TrimEnd(name);
  }
  if (action.ends_with(" -")) {
    action.remove_suffix(1);
    TrimBegin(text);
  }
  TRY(const std::string_view value, ValueOf(Trimmed(action), values));
  name += value;
  return {};
}

}  // namespace

Result<std::string> RenderName(std::string_view naming, const NameValues& values) {
  std::string name;
  while (!naming.empty()) {
    const size_t begin = std::min(naming.find("{{"), naming.size());
    name += naming.substr(0, begin);
    naming.remove_prefix(begin);
    if (!naming.empty()) CHECK_OK(TakeAction(naming, values, name));
  }
  return name;
}

Result<std::string> MachineName(std::string_view naming, const NameValues& values) {
  if (naming.empty()) naming = kUsual;
  if (!naming.contains(kRandom)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("spec.machineNaming.template has no {}: two machines would have the "
                            "same name",
                            kRandom));
  }
  auto name = RenderName(naming, values);
  if (!name) return Failure(std::move(name).error().Wrap("spec.machineNaming.template"));
  if (name->size() <= kMostCharacters) return name;
  return name->substr(0, kMostCharacters - kRandomCharacters) + std::string(values.random);
}

SetName NewSetName(std::string_view deployment, std::string_view template_text,
                   std::string_view random) {
  return {.name = kube::GenerateName(std::string(deployment) + "-", random),
          .template_hash = fmt::format("{}-{}", Fnv1a(template_text), random)};
}

std::uint32_t NameFloorOf(const SetRecord& set) {
  const auto note = set.annotations.find(annotations::kState);
  if (note == set.annotations.end() || note->second.size() > kMostNoteBytes) return 0;
  const auto parsed = kube::ParseJson(note->second);
  const std::int64_t floor = parsed ? kube::GetInt(*parsed, "nameFloor") : 0;
  return floor > 0 && floor <= UINT32_MAX ? static_cast<std::uint32_t>(floor) : 0;
}

std::string NameFloorNote(std::uint32_t floor) {
  return fmt::format(R"({{"nameFloor":{}}})", floor);
}

}  // namespace millwright::dialects::capi
