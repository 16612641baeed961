#include "apiserver/builtin/go_text.h"

#include <cctype>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/go_time.h"
#include "base/base64.h"
#include "base/time.h"
#include "kube/api/quantity.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver::builtin {

namespace {

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string_view ShortTypeName(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string GoTypeText(std::string_view name) {
  if (name == "[]byte") return "[]uint8";
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && IsNameCharacter(name[end])) ++end;
    const auto word = name.substr(at, end - at);
    // The first of the two words before a name is ours, to tell packages apart.
    const bool is_group = name.substr(end).starts_with(".v1.");
    if (!is_group) text += word;
    if (end < name.size() && !is_group) text += name[end];
    at = end + 1;
  }
  return text;
}

Result<void> CanonicalBytes(boost::json::string& text) {
  const auto bytes = DecodeBase64(text);
  if (!bytes) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("illegal base64 data at input byte {}", bytes.error()));
  }
  text = EncodeBase64(*bytes);
  return Ok();
}

Result<void> CanonicalTime(boost::json::string& text, bool micro) {
  if (std::string fault = GoTimeFault(text, micro); !fault.empty()) {
    return Fail(ErrorKind::kInvalid, std::move(fault));
  }
  TRY(const WallTime time, ParseTime(text));
  text = micro ? FormatMicroTime(time) : FormatTime(time);
  return Ok();
}

Result<void> CanonicalDuration(boost::json::string& text) {
  const auto duration = ParseDuration(text);
  if (!duration) {
    return Fail(ErrorKind::kInvalid, "time: invalid duration " + kube::QuotedText(text));
  }
  text = FormatDuration(*duration);
  return Ok();
}

Result<void> CanonicalQuantity(boost::json::value& value) {
  if (value.is_null()) value = "0";
  const auto* text = value.if_string();
  const auto quantity =
      kube::ParseQuantity(text != nullptr ? std::string_view(*text) : kube::ValueText(value));
  if (!quantity) {
    return Fail(ErrorKind::kInvalid,
                "quantities must match the regular expression "
                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  value = quantity->ToString();
  return Ok();
}

}  // namespace millwright::apiserver::builtin
