// The formats of texts that Kubernetes knows by name.
#include <map>

#include "kube/api/names.h"
#include "kube/api/schema_format.h"
#include "kube/api/schema_format_net.h"
#include "kube/api/typed_text.h"
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

using Check = Complaints (*)(std::string_view text);

// What may stand before a generated ending: a dash at the end is as good as a letter.
std::string WithEnding(std::string_view prefix) {
  std::string name(prefix);
  if (name.size() > 1 && name.ends_with('-')) name.back() = 'a';
  return name;
}

Complaints HasNamedFormat(std::string_view text, std::string_view format, const char* complaint) {
  if (HasFormat(text, format)) return {};
  return {complaint};
}

const std::map<std::string, Check, std::less<>>& Formats() {
  static const std::map<std::string, Check, std::less<>> kFormats = {
      {"dns1123Label", [](std::string_view text) { return CheckDns1123Label(text); }},
      {"dns1123Subdomain", [](std::string_view text) { return CheckDns1123Subdomain(text); }},
      {"dns1035Label", [](std::string_view text) { return CheckDns1035Label(text); }},
      {"qualifiedName", [](std::string_view text) { return CheckQualifiedName(text); }},
      {"dns1123LabelPrefix",
       [](std::string_view text) { return CheckDns1123Label(WithEnding(text)); }},
      {"dns1123SubdomainPrefix",
       [](std::string_view text) { return CheckDns1123Subdomain(WithEnding(text)); }},
      {"dns1035LabelPrefix",
       [](std::string_view text) { return CheckDns1035Label(WithEnding(text)); }},
      {"labelValue", [](std::string_view text) { return CheckLabelValue(text); }},
      {"uri",
       [](std::string_view text) {
         if (IsRequestUri(text)) return Complaints();
         return Complaints{"parse " + QuotedText(text) + ": invalid URI for request"};
       }},
      {"uuid",
       [](std::string_view text) {
         return HasNamedFormat(text, "uuid", "does not match the UUID format");
       }},
      {"byte",
       [](std::string_view text) { return HasNamedFormat(text, "byte", "invalid base64"); }},
      {"date", [](std::string_view text) { return HasNamedFormat(text, "date", "invalid date"); }},
      {"datetime",
       [](std::string_view text) { return HasNamedFormat(text, "date-time", "invalid datetime"); }},
  };
  return kFormats;
}

Result<Value> Named(Arguments a, Budget&) {
  if (!Formats().contains(a[0].text())) return NoValue();
  return MakeOptional(FormatName{a[0].text()});
}

Result<Value> Validate(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend((a[1].text().size() / 10 + 1) * 15));
  const auto format = Formats().find(a[0].As<FormatName>().name);
  if (format == Formats().end()) return NoSuchOverload();
  const Complaints complaints = format->second(a[1].text());
  if (complaints.empty()) return NoValue();
  return MakeOptional(MakeList({complaints.begin(), complaints.end()}));
}

// One function for each name.
template <std::size_t kSize>
struct Constant {
  constexpr Constant(const char (&text)[kSize]) { std::copy_n(text, kSize, name); }  // NOLINT
  char name[kSize]{};
};
template <Constant kName>
Result<Value> Make(Arguments, Budget&) {
  return Value(FormatName{kName.name});
}

}  // namespace

std::span<const Declaration> FormatDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"format.named(string) -> optional<Format>", &Named},
      {"Format.validate(string) -> optional<list<string>>", &Validate},
      {"format.dns1123Label() -> Format", &Make<"dns1123Label">},
      {"format.dns1123Subdomain() -> Format", &Make<"dns1123Subdomain">},
      {"format.dns1035Label() -> Format", &Make<"dns1035Label">},
      {"format.qualifiedName() -> Format", &Make<"qualifiedName">},
      {"format.dns1123LabelPrefix() -> Format", &Make<"dns1123LabelPrefix">},
      {"format.dns1123SubdomainPrefix() -> Format", &Make<"dns1123SubdomainPrefix">},
      {"format.dns1035LabelPrefix() -> Format", &Make<"dns1035LabelPrefix">},
      {"format.labelValue() -> Format", &Make<"labelValue">},
      {"format.uri() -> Format", &Make<"uri">},
      {"format.uuid() -> Format", &Make<"uuid">},
      {"format.byte() -> Format", &Make<"byte">},
      {"format.date() -> Format", &Make<"date">},
      {"format.datetime() -> Format", &Make<"datetime">},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
