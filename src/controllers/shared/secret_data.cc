#include "controllers/shared/secret_data.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/base64.h"

namespace millwright::controllers {

namespace json = boost::json;

Result<std::map<std::string, SecretText>> SecretData(const kube::Document& secret) {
  TRY(const json::value tree, secret.Tree());
  std::map<std::string, SecretText> data;
  const json::value* values = tree.as_object().if_contains("data");
  if (values == nullptr || !values->is_object()) return data;
  for (const auto& [key, value] : values->as_object()) {
    if (!value.is_string()) continue;
    auto text = DecodeBase64(std::string_view(value.as_string()));
    if (!text) return Fail(ErrorKind::kInvalid, fmt::format("its key {} is not base64", key));
    data.insert_or_assign(std::string(key), SecretText(*std::move(text)));
  }
  return data;
}

}  // namespace millwright::controllers
