#include "kube/cel/schema_value.h"

#include <fmt/format.h>

#include <boost/beast/core/detail/base64.hpp>
#include <boost/json.hpp>

#include <cmath>

#include "base/time.h"
#include "kube/cel/field_name.h"
#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace json = boost::json;

namespace {

// An object with fields, or a map with one schema for all values.
class DataMap final : public Map {
 public:
  DataMap(const Schema& schema, const json::object& data) : schema_(schema), data_(data) {}

  std::size_t size() const override { return data_.size(); }

  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    keys.reserve(data_.size());
    for (const auto& member : data_) keys.emplace_back(std::string(member.key()));
    return keys;
  }

  Result<std::optional<Value>> Find(const Value& key) const override {
    const std::string* name = key.If<std::string>();
    if (name == nullptr) return std::optional<Value>();
    return At(*name);
  }

  Result<std::optional<Value>> FindField(const std::string& name) const override {
    return At(schema_.additional ? name : UnescapeField(name));
  }

 private:
  Result<std::optional<Value>> At(const std::string& name) const {
    const json::value* value = data_.if_contains(name);
    if (value == nullptr) return std::optional<Value>();
    const auto property = schema_.properties.find(name);
    const Schema* schema =
        property != schema_.properties.end() ? property->second.get() : schema_.additional.get();
    // Fields that nobody declared can be compared only.
    if (schema == nullptr) return std::optional<Value>(Opaque{value});
    TRY(Value found, ValueOfData(*schema, *value));
    return std::optional<Value>(std::move(found));
  }

  const Schema& schema_;
  const json::object& data_;
};

class DataList final : public List {
 public:
  DataList(const Schema& schema, const json::array& data) : schema_(schema), data_(data) {}

  std::size_t size() const override { return data_.size(); }
  Result<Value> At(std::size_t index) const override {
    if (!schema_.items) return Value(Opaque{&data_[index]});
    return ValueOfData(*schema_.items, data_[index]);
  }
  ListOrder order() const override {
    if (schema_.list_type == ListType::kSet) return ListOrder::kSet;
    return schema_.list_type == ListType::kMap ? ListOrder::kMap : ListOrder::kPlain;
  }
  Result<Value> KeyOf(const Value& item) const override {
    if (schema_.list_type != ListType::kMap || item.kind() != Kind::kMap) return item;
    std::vector<Value> keys;
    for (const std::string& name : schema_.list_map_keys) {
      TRY(const auto key, item.map().Find(Value(name)));
      keys.push_back(key ? *key : Value(Null{}));
    }
    return MakeList(std::move(keys));
  }

 private:
  const Schema& schema_;
  const json::array& data_;
};

Failure Unfit(std::string_view wanted) {
  return Wrong(fmt::format("invalid data, expected {}", wanted));
}

Result<Value> BytesOf(std::string_view text) {
  namespace base64 = boost::beast::detail::base64;
  std::string bytes(base64::decoded_size(text.size()), '\0');
  const auto [written, read] = base64::decode(bytes.data(), text.data(), text.size());
  const std::string_view rest = text.substr(read);
  if (rest.find_first_not_of('=') != std::string_view::npos) {
    return Wrong(fmt::format("Invalid byte formatted string {}", text));
  }
  bytes.resize(written);
  return Value(Bytes{std::move(bytes)});
}

Result<Value> TextValue(const std::string& format, std::string_view text) {
  if (format == "byte") return BytesOf(text);
  if (format == "duration") {
    const auto duration = ParseDuration(text);
    if (!duration) return Wrong(fmt::format("Invalid duration {}", text));
    return Value(DurationValue{duration->count()});
  }
  if (format == "date" || format == "date-time") {
    TRY(const Timestamp time, format == "date" ? ParseDate(text) : ParseTimestamp(text));
    return Value(time);
  }
  return Value(std::string(text));
}

Result<Value> WholeValue(const json::value& data) {
  if (data.is_int64()) return Value(data.get_int64());
  const double* number = data.if_double();
  constexpr double kLimit = 9.2e18;
  const bool whole =
      number != nullptr && std::trunc(*number) == *number && std::fabs(*number) < kLimit;
  if (!whole) return Unfit("int");
  return Value(static_cast<std::int64_t>(*number));
}

Result<Value> EitherValue(const json::value& data) {
  if (const auto* text = data.if_string()) return Value(std::string(*text));
  if (data.is_int64()) return Value(data.get_int64());
  return Unfit("XIntOrString value to be either a string or integer");
}

Result<Value> ObjectValue(const Schema& schema, const json::value& data) {
  const json::object* object = data.if_object();
  if (object == nullptr) return Unfit("a map for the provided schema with type=object");
  return Value(std::shared_ptr<const Map>(std::make_shared<DataMap>(schema, *object)));
}

Result<Value> ListValue(const Schema& schema, const json::value& data) {
  const json::array* list = data.if_array();
  if (list == nullptr) return Unfit("an array for the provided schema with type=array");
  return Value(std::shared_ptr<const List>(std::make_shared<DataList>(schema, *list)));
}

}  // namespace

Result<Value> ValueOfData(const Schema& schema, const json::value& data) {
  if (data.is_null()) {
    if (schema.nullable) return Value(Null{});
    return Wrong("invalid data, got null for schema with nullable=false");
  }
  if (schema.int_or_string) return EitherValue(data);
  switch (schema.type) {
    case ValueType::kAny: return Value(Opaque{&data});
    case ValueType::kObject: return ObjectValue(schema, data);
    case ValueType::kArray: return ListValue(schema, data);
    case ValueType::kInteger: return WholeValue(data);
    case ValueType::kString: {
      const auto* text = data.if_string();
      if (text == nullptr) return Unfit("string");
      return TextValue(schema.checks.format, *text);
    }
    case ValueType::kNumber: {
      if (!data.is_number()) return Unfit("float");
      return Value(data.to_number<double>());
    }
    case ValueType::kBoolean: {
      if (!data.is_bool()) return Unfit("bool");
      return Value(data.get_bool());
    }
  }
  return Unfit("a type");
}

}  // namespace millwright::kube::cel
