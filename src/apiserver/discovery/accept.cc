#include "apiserver/discovery/accept.h"

#include <cctype>
#include <charconv>
#include <functional>
#include <ranges>

namespace millwright::apiserver {

namespace {

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

struct Wish {
  MediaRange range;
  double quality = 1;
};

double Quality(std::string_view text) {
  double quality = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quality);
  return error == std::errc() ? quality : 1;
}

Wish ReadWish(std::string_view text) {
  Wish wish;
  for (const auto part : std::views::split(text, ';')) {
    const std::string_view piece = Trimmed({part.begin(), part.end()});
    if (wish.range.type.empty()) {
      wish.range.type = Lower(piece);
      continue;
    }
    const auto equals = piece.find('=');
    if (equals == piece.npos) continue;
    const std::string name = Lower(Trimmed(piece.substr(0, equals)));
    const std::string_view value = Trimmed(piece.substr(equals + 1));
    if (name == "q") {
      wish.quality = Quality(value);
    } else {
      wish.range.parameters[name] = value;
    }
  }
  return wish;
}

std::string_view Parameter(const MediaRange& range, std::string_view name) {
  const auto found = range.parameters.find(std::string(name));
  return found == range.parameters.end() ? std::string_view() : found->second;
}

std::optional<DiscoveryForm> AggregatedForm(const MediaRange& range) {
  const bool known = Parameter(range, "g") == "apidiscovery.k8s.io" &&
                     Parameter(range, "as") == "APIGroupDiscoveryList" &&
                     range.Covers("application/json");
  if (!known) return std::nullopt;
  if (Parameter(range, "v") == "v2") return DiscoveryForm::kAggregatedV2;
  if (Parameter(range, "v") == "v2beta1") return DiscoveryForm::kAggregatedV2beta1;
  return std::nullopt;
}

}  // namespace

bool MediaRange::Covers(std::string_view media_type) const {
  if (type == "*/*" || type == media_type) return true;
  return type.ends_with("/*") && media_type.starts_with(type.substr(0, type.size() - 1));
}

std::vector<MediaRange> ParseAccept(std::string_view accept) {
  if (Trimmed(accept).empty()) return {{.type = "*/*", .parameters = {}}};
  std::multimap<double, MediaRange, std::greater<>> wishes;
  for (const auto part : std::views::split(accept, ',')) {
    Wish wish = ReadWish({part.begin(), part.end()});
    if (wish.quality > 0) wishes.emplace(wish.quality, std::move(wish.range));
  }
  std::vector<MediaRange> ranges;
  for (auto& [quality, range] : wishes) ranges.push_back(std::move(range));
  return ranges;
}

std::optional<DiscoveryForm> NegotiateDiscovery(std::string_view accept, bool has_aggregated) {
  for (const MediaRange& range : ParseAccept(accept)) {
    if (!Parameter(range, "as").empty()) {
      const auto form = has_aggregated ? AggregatedForm(range) : std::nullopt;
      if (form) return form;
      continue;
    }
    if (range.Covers("application/json")) return DiscoveryForm::kJson;
    if (range.Covers("application/yaml")) return DiscoveryForm::kYaml;
  }
  return std::nullopt;
}

}  // namespace millwright::apiserver
