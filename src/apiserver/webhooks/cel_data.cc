#include "apiserver/webhooks/cel_data.h"

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace json = boost::json;
namespace cel = kube::cel;

namespace {

class JsonMap final : public cel::Map {
 public:
  explicit JsonMap(const json::object& data) : data_(data) {}

  std::size_t size() const override { return data_.size(); }
  std::vector<cel::Value> Keys() const override {
    std::vector<cel::Value> keys;
    for (const auto& [key, value] : data_) keys.emplace_back(std::string(key));
    return keys;
  }
  Result<std::optional<cel::Value>> Find(const cel::Value& key) const override {
    const std::string* name = key.If<std::string>();
    const json::value* found = name == nullptr ? nullptr : data_.if_contains(*name);
    if (found == nullptr) return std::optional<cel::Value>();
    return std::optional<cel::Value>(CelData(*found));
  }

 private:
  const json::object& data_;
};

class JsonList final : public cel::List {
 public:
  explicit JsonList(const json::array& data) : data_(data) {}

  std::size_t size() const override { return data_.size(); }
  Result<cel::Value> At(std::size_t index) const override { return CelData(data_[index]); }

 private:
  const json::array& data_;
};

cel::TypePtr Object(std::string name, std::map<std::string, cel::TypePtr> fields) {
  return std::make_shared<cel::Type>(
      cel::Type{.kind = cel::Kind::kObject, .name = std::move(name), .fields = std::move(fields)});
}

}  // namespace

cel::Value CelData(const json::value& data) {
  switch (data.kind()) {
    case json::kind::null: return cel::Null{};
    case json::kind::bool_: return data.get_bool();
    case json::kind::int64: return data.get_int64();
    case json::kind::uint64: return data.get_uint64();
    case json::kind::double_: return data.get_double();
    case json::kind::string: return std::string(data.get_string());
    case json::kind::array:
      return std::shared_ptr<const cel::List>(std::make_shared<JsonList>(data.get_array()));
    case json::kind::object:
      return std::shared_ptr<const cel::Map>(std::make_shared<JsonMap>(data.get_object()));
  }
  return cel::Null{};
}

cel::TypePtr AdmissionRequestType() {
  const cel::TypePtr& text = cel::SimpleType(cel::Kind::kString);
  const cel::TypePtr texts = cel::ListOf(text);
  const cel::TypePtr kind =
      Object("kubernetes.GroupVersionKind", {{"group", text}, {"version", text}, {"kind", text}});
  const cel::TypePtr resource = Object("kubernetes.GroupVersionResource",
                                       {{"group", text}, {"version", text}, {"resource", text}});
  const cel::TypePtr user = Object(
      "kubernetes.UserInfo",
      {{"username", text}, {"uid", text}, {"groups", texts}, {"extra", cel::MapOf(text, texts)}});
  return Object("kubernetes.AdmissionRequest", {{"kind", kind},
                                                {"resource", resource},
                                                {"subResource", text},
                                                {"requestKind", kind},
                                                {"requestResource", resource},
                                                {"requestSubResource", text},
                                                {"name", text},
                                                {"namespace", text},
                                                {"operation", text},
                                                {"userInfo", user},
                                                {"dryRun", cel::SimpleType(cel::Kind::kBool)},
                                                {"options", cel::SimpleType(cel::Kind::kDyn)}});
}

}  // namespace millwright::apiserver
