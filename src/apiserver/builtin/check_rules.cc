#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/check.h"
#include "kube/api/schema_format_net.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsConfigCharacter(char c) {
  return IsLower(c) || IsDigit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

bool IsPercent(std::string_view text) {
  return text.size() > 1 && text.ends_with('%') &&
         std::ranges::all_of(text.substr(0, text.size() - 1), IsDigit);
}

void CheckExpression(const At& expression, Faults& faults) {
  const std::string_view op = expression["operator"].Text();
  const At values = expression["values"];
  if (op == "In" || op == "NotIn") {
    if (values.Size() == 0) {
      faults.Required(values, "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (values.Size() > 0) {
      faults.Forbidden(values,
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    faults.Invalid(expression["operator"], json::value(op), "not a valid selector operator");
  }
  faults.Invalid(expression["key"], kube::CheckQualifiedName(expression["key"].Text()));
  for (const At& value : values.Items()) {
    faults.Invalid(value, kube::CheckLabelValue(value.Text()));
  }
}

}  // namespace

void CheckNotNegative(const At& at, Faults& faults) {
  if (at.Number().value_or(0) < 0) faults.Invalid(at, "must be greater than or equal to 0");
}

void CheckBetween(const At& at, std::int64_t least, std::int64_t most, Faults& faults) {
  const std::int64_t number = at.Number().value_or(0);
  if (number >= least && number <= most) return;
  faults.Invalid(at, json::value(number),
                 fmt::format("must be between {} and {}, inclusive", least, most));
}

void CheckPort(const At& at, Faults& faults) {
  CheckBetween(at, 1, std::numeric_limits<std::uint16_t>::max(), faults);
}

void CheckOneOf(const At& at, std::initializer_list<std::string_view> choices, Faults& faults) {
  if (at.IsEmpty()) return faults.Required(at);
  if (std::ranges::find(choices, at.Text()) == choices.end()) faults.NotSupported(at, choices);
}

void CheckUnchanged(const At& at, const At& old, Faults& faults) {
  if (!Same(at, old)) faults.Invalid(at, std::string(kImmutable));
}

void CheckSubdomain(const At& at, Faults& faults) {
  faults.Invalid(at, kube::CheckDns1123Subdomain(at.Text()));
}

void CheckLabels(const At& at, Faults& faults) {
  for (const auto& [key, value] : at.Members()) {
    for (const auto& complaint : kube::CheckQualifiedName(key)) {
      faults.Invalid(at, json::value(key), complaint);
    }
    for (const auto& complaint : kube::CheckLabelValue(value.Text())) {
      faults.Invalid(at, value.value(), complaint);
    }
  }
}

void CheckLabelSelector(const At& at, Faults& faults) {
  CheckLabels(at["matchLabels"], faults);
  for (const At& expression : at["matchExpressions"].Items()) CheckExpression(expression, faults);
}

void CheckIntOrPercent(const At& at, Faults& faults) {
  if (!at.IsSet()) return;
  if (!at.value().is_string()) return CheckNotNegative(at, faults);
  if (!IsPercent(at.Text())) {
    faults.Invalid(at,
                   "a valid percent string must be a numeric string followed by an ending '%' "
                   "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')");
  }
}

void CheckIp(const At& at, Faults& faults) {
  if (kube::IsIpv4(at.Text()) || kube::IsIpv6(at.Text())) return;
  faults.Invalid(at, json::value(at.Text()),
                 "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

kube::Complaints CheckConfigKey(std::string_view key) {
  constexpr std::size_t kMaxKey = 253;
  kube::Complaints complaints;
  if (key.size() > kMaxKey) {
    complaints.push_back(fmt::format("must be no more than {} characters", kMaxKey));
  }
  if (key.empty() || !std::ranges::all_of(key, IsConfigCharacter)) {
    complaints.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (key == ".") {
    complaints.emplace_back("must not be '.'");
  } else if (key == "..") {
    complaints.emplace_back("must not be '..'");
  } else if (key.starts_with("..")) {
    complaints.emplace_back("must not start with '..'");
  }
  return complaints;
}

kube::Complaints CheckPortName(std::string_view name) {
  constexpr std::size_t kMaxPortName = 15;
  kube::Complaints complaints;
  if (name.size() > kMaxPortName) complaints.emplace_back("must be no more than 15 characters");
  const auto fits = [](char c) { return IsLower(c) || IsDigit(c) || c == '-'; };
  if (!std::ranges::all_of(name, fits)) {
    complaints.emplace_back(
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!std::ranges::any_of(name, IsLower)) {
    complaints.emplace_back("must contain at least one letter (a-z)");
  }
  if (name.find("--") != std::string_view::npos) {
    complaints.emplace_back("must not contain consecutive hyphens");
  }
  if (name.starts_with('-') || name.ends_with('-')) {
    complaints.emplace_back("must not begin or end with a hyphen");
  }
  return complaints;
}

}  // namespace millwright::apiserver::builtin
