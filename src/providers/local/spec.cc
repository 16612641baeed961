#include "providers/local/spec.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <array>

namespace millwright::providers {

namespace json = boost::json;

namespace {

Failure Wrong(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

std::size_t SkipDigits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

// Close enough to say early what the node's own server would refuse.
bool LooksLikeQuantity(std::string_view text) {
  std::size_t digits = SkipDigits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += SkipDigits(text);
  }
  if (digits == 0) return false;
  constexpr std::array<std::string_view, 14> kSuffixes = {"",  "m",  "k",  "M",  "G",  "T",  "P",
                                                          "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  for (const std::string_view suffix : kSuffixes) {
    if (text == suffix) return true;
  }
  return false;
}

Result<std::string> ReadQuantity(std::string_view field, const json::value& value) {
  std::string text;
  if (value.is_string()) {
    text = value.get_string();
  } else if (value.is_int64()) {
    text = std::to_string(value.get_int64());
  }
  if (LooksLikeQuantity(text)) return text;
  return Wrong(fmt::format("{} must be an amount such as \"2\", \"500m\" or \"4Gi\"", field));
}

Result<std::map<std::string, std::string>> ReadLabels(const json::value& value) {
  if (!value.is_object()) return Wrong("labels must map names to texts");
  std::map<std::string, std::string> labels;
  for (const auto& [name, text] : value.get_object()) {
    if (!text.is_string()) return Wrong(fmt::format("labels.{} must be a text", std::string(name)));
    labels.emplace(name, text.get_string());
  }
  return labels;
}

Result<void> ReadField(std::string_view field, const json::value& value, LocalSpec& spec) {
  if (value.is_null()) return Ok();
  if (field == "labels") {
    TRY(spec.labels, ReadLabels(value));
    return Ok();
  }
  std::string* amount = field == "cpu"      ? &spec.cpu
                        : field == "memory" ? &spec.memory
                        : field == "pods"   ? &spec.pods
                                            : nullptr;
  if (amount == nullptr) {
    return Wrong(fmt::format(
        "local machines have no field {}; there are cpu, memory, pods and labels", field));
  }
  TRY(*amount, ReadQuantity(field, value));
  return Ok();
}

}  // namespace

Result<LocalSpec> ParseLocalSpec(std::string_view provider_spec) {
  LocalSpec spec;
  if (provider_spec.empty()) return spec;
  boost::system::error_code error;
  const json::value value = json::parse(provider_spec, error);
  if (error) return Wrong("the provider spec is not JSON: " + error.message());
  if (value.is_null()) return spec;
  if (!value.is_object()) return Wrong("the provider spec must be an object");
  for (const auto& [field, content] : value.get_object()) {
    CHECK_OK(ReadField(field, content, spec));
  }
  return spec;
}

}  // namespace millwright::providers
