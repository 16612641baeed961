#include "apiserver/rest/output.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <ranges>

#include "apiserver/rest/failures.h"

namespace millwright::apiserver {

namespace {

std::string Lower(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    if (c != ' ' && c != '\t')
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

using Parameters = std::map<std::string, std::string>;

struct Clause {
  std::string type;
  Parameters parameters;
};

Clause ReadClause(std::string_view text) {
  Clause clause;
  for (const auto part : std::views::split(text, ';')) {
    const std::string_view piece(part.begin(), part.end());
    if (clause.type.empty()) {
      clause.type = Lower(piece);
      continue;
    }
    const auto equals = piece.find('=');
    if (equals == piece.npos) continue;
    std::string value(piece.substr(equals + 1));
    std::erase(value, ' ');
    clause.parameters[Lower(piece.substr(0, equals))] = std::move(value);
  }
  return clause;
}

std::optional<Output> OutputOf(const Clause& clause) {
  Output output;
  output.yaml = clause.type == "application/yaml";
  const bool json =
      clause.type == "application/json" || clause.type == "*/*" || clause.type == "application/*";
  if (!json && !output.yaml) return std::nullopt;
  const auto pretty = clause.parameters.find("pretty");
  output.pretty = pretty != clause.parameters.end() && pretty->second != "0";
  const auto as = clause.parameters.find("as");
  if (as == clause.parameters.end()) return output;
  const auto group = clause.parameters.find("g");
  const auto version = clause.parameters.find("v");
  if (group == clause.parameters.end() || group->second != "meta.k8s.io") return std::nullopt;
  if (version == clause.parameters.end()) return std::nullopt;
  if (version->second != "v1" && version->second != "v1beta1") return std::nullopt;
  output.version = version->second;
  if (as->second == "Table") {
    output.form = Output::Form::kTable;
  } else if (as->second == "PartialObjectMetadata" || as->second == "PartialObjectMetadataList") {
    output.form = Output::Form::kMetadata;
  } else {
    return std::nullopt;
  }
  return output;
}

}  // namespace

std::string MediaTypeOf(std::string_view content_type) {
  return Lower(content_type.substr(0, content_type.find(';')));
}

Result<Output> NegotiateOutput(std::string_view accept) {
  if (accept.empty()) return Output{};
  for (const auto part : std::views::split(accept, ',')) {
    const auto output = OutputOf(ReadClause(std::string_view(part.begin(), part.end())));
    if (output) return *output;
  }
  return NotAcceptable(
      "application/json, application/yaml, application/vnd.kubernetes.protobuf, "
      "application/json;stream=watch");
}

}  // namespace millwright::apiserver
