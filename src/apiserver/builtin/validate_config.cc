// Config maps and secrets.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxData = std::size_t{1} << 20U;
constexpr std::string_view kSealed = "field is immutable when `immutable` is set";

std::size_t DecodedSize(std::string_view base64) {
  const auto padding = std::ranges::count(base64, '=');
  return base64.size() / 4 * 3 - static_cast<std::size_t>(padding);
}

void CheckKey(std::string_view key, const At& at, Faults& faults) {
  for (const auto& complaint : CheckConfigKey(key)) faults.Invalid(at, json::value(key), complaint);
}

void CheckSize(const std::string& path, std::size_t size, Faults& faults) {
  if (size <= kMaxData) return;
  faults.Add({.type = kube::FieldErrorType::kTooLong,
              .field = path,
              .detail = fmt::format("may not be more than {} bytes", kMaxData)});
}

// Once sealed, only metadata change.
void CheckSealed(const At& object, const At& old, std::initializer_list<std::string_view> parts,
                 Faults& faults) {
  if (!old["immutable"].IsTrue()) return;
  if (!object["immutable"].IsTrue()) faults.Forbidden(object["immutable"], std::string(kSealed));
  for (const auto part : parts) {
    if (!Same(object[part], old[part])) faults.Forbidden(object[part], std::string(kSealed));
  }
}

// What a secret of a well-known type cannot do without.
struct NeededKeys {
  std::string_view type;
  std::array<std::string_view, 2> keys;
};

constexpr NeededKeys kNeededKeys[] = {
    {"kubernetes.io/dockercfg", {".dockercfg"}},
    {"kubernetes.io/dockerconfigjson", {".dockerconfigjson"}},
    {"kubernetes.io/ssh-auth", {"ssh-privatekey"}},
    {"kubernetes.io/tls", {"tls.crt", "tls.key"}},
};

std::string JsonComplaint(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return "unexpected end of JSON input";
  return fmt::format("invalid character '{}' looking for beginning of value", text[start]);
}

void CheckIsJson(const At& at, Faults& faults) {
  const auto bytes = DecodeBase64(at.Text());
  if (!bytes || kube::ParseJson(*bytes)) return;
  faults.Invalid(at, json::value("<secret contents redacted>"), JsonComplaint(*bytes));
}

void CheckType(const At& secret, Faults& faults) {
  const std::string_view type = secret["type"].Text();
  const At data = secret["data"];
  if (type == "kubernetes.io/service-account-token") {
    const At account = secret["metadata"]["annotations"].Key("kubernetes.io/service-account.name");
    if (account.IsEmpty()) faults.Required(account);
  }
  if (type == "kubernetes.io/basic-auth" && !data.Key("username").IsSet() &&
      !data.Key("password").IsSet()) {
    faults.Required(data.Key("username"));
    faults.Required(data.Key("password"));
  }
  for (const auto& needed : kNeededKeys) {
    if (needed.type != type) continue;
    for (const auto key : needed.keys) {
      if (key.empty()) continue;
      if (!data.Key(key).IsSet()) {
        faults.Required(data.Key(key));
      } else if (key.starts_with(".docker")) {
        CheckIsJson(data.Key(key), faults);
      }
    }
  }
}

}  // namespace

void ValidateConfigMap(const At& object, const At* old, Faults& faults) {
  std::size_t size = 0;
  const At data = object["data"];
  const At binary = object["binaryData"];
  for (const auto& [key, value] : data.Members()) {
    CheckKey(key, value, faults);
    if (binary.Key(key).IsSet()) {
      faults.Invalid(value, json::value(key), "duplicate of key present in binaryData");
    }
    size += value.Text().size();
  }
  for (const auto& [key, value] : binary.Members()) {
    CheckKey(key, value, faults);
    size += DecodedSize(value.Text());
  }
  CheckSize("[]", size, faults);  // of no field, which Go writes so
  if (old != nullptr) CheckSealed(object, *old, {"data", "binaryData"}, faults);
}

void ValidateSecret(const At& object, const At* old, Faults& faults) {
  std::size_t size = 0;
  const At data = object["data"];
  for (const auto& [key, value] : data.Members()) {
    CheckKey(key, value, faults);
    size += DecodedSize(value.Text());
  }
  CheckSize(data.path(), size, faults);
  CheckType(object, faults);
  if (old == nullptr) return;
  CheckUnchanged(object["type"], (*old)["type"], faults);
  CheckSealed(object, *old, {"data"}, faults);
}

}  // namespace millwright::apiserver::builtin
