#include "agent/user_data.h"

#include <boost/json.hpp>

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::agent {

namespace json = boost::json;

namespace {

Failure Wrong(std::string message) {
  return Fail(ErrorKind::kInvalid, "user data: " + std::move(message));
}

Result<std::string> TextAt(const json::value& tree, std::string_view field) {
  const json::value* value = kube::Find(tree, field);
  if (value == nullptr || value->is_null()) return std::string();
  if (value->is_string()) return std::string(value->get_string());
  return Wrong(std::string(field) + " must be a text");
}

Result<std::string> CaOf(const json::value& tree, const ReadFile& read_file) {
  TRY(const std::string data, TextAt(tree, "caData"));
  TRY(const std::string file, TextAt(tree, "caFile"));
  if (!data.empty()) {
    auto pem = DecodeBase64(data);
    if (!pem) return Wrong("caData is not base64");
    return *std::move(pem);
  }
  if (file.empty()) return std::string();
  auto pem = read_file(file);
  if (!pem) return Wrong("caFile " + file + ": " + pem.error().message());
  return *std::move(pem);
}

Result<std::map<std::string, std::string>> LabelsOf(const json::value& tree) {
  std::map<std::string, std::string> labels;
  const json::value* value = kube::Find(tree, "labels");
  if (value == nullptr || value->is_null()) return labels;
  if (!value->is_object()) return Wrong("labels must map names to texts");
  for (const auto& [name, text] : value->get_object()) {
    if (!text.is_string()) return Wrong("label " + std::string(name) + " must be a text");
    labels.emplace(name, text.get_string());
  }
  return labels;
}

Result<std::vector<Taint>> TaintsOf(const json::value& tree) {
  std::vector<Taint> taints;
  const json::value* value = kube::Find(tree, "taints");
  if (value == nullptr || value->is_null()) return taints;
  if (!value->is_array()) return Wrong("taints must be a list");
  for (const json::value& item : value->get_array()) {
    Taint taint;
    TRY(taint.key, TextAt(item, "key"));
    TRY(taint.value, TextAt(item, "value"));
    TRY(taint.effect, TextAt(item, "effect"));
    if (taint.key.empty() || taint.effect.empty())
      return Wrong("a taint needs a key and an effect");
    taints.push_back(std::move(taint));
  }
  return taints;
}

Result<void> CheckFields(const json::value& tree) {
  constexpr std::array<std::string_view, 7> kKnown = {"server",   "caData", "caFile", "token",
                                                      "nodeName", "labels", "taints"};
  for (const auto& [field, value] : tree.get_object()) {
    if (std::ranges::find(kKnown, std::string_view(field)) == kKnown.end()) {
      return Wrong("there is no field " + std::string(field));
    }
  }
  return Ok();
}

}  // namespace

Result<UserData> ParseUserData(std::string_view text, const ReadFile& read_file) {
  TRY(const json::value tree, kube::ParseYaml(text, "user data"));
  if (!tree.is_object()) return Wrong("must be an object with server and token");
  CHECK_OK(CheckFields(tree));
  UserData data;
  TRY(data.server, TextAt(tree, "server"));
  if (!data.server.starts_with("https://")) return Wrong("server must begin with https://");
  while (data.server.ends_with('/')) data.server.pop_back();
  TRY(data.ca_pem, CaOf(tree, read_file));
  TRY(std::string token, TextAt(tree, "token"));
  data.token = SecretText(std::move(token));
  if (data.token.empty()) return Wrong("token is missing");
  TRY(data.node_name, TextAt(tree, "nodeName"));
  TRY(data.labels, LabelsOf(tree));
  TRY(data.taints, TaintsOf(tree));
  return data;
}

}  // namespace millwright::agent
