// Values of CEL expressions. Data of objects is wrapped, not copied: it has to outlive the values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/quantity.h"
#include "kube/cel/kind.h"

namespace millwright::kube::cel {

class Value;

// Why a list of an object is more than a row of values.
enum class ListOrder {
  kPlain,
  kSet,  // compared and added without regard to order
  kMap,  // the same, by the keys of its items
};

class List {
 public:
  virtual ~List() = default;
  virtual std::size_t size() const = 0;
  // An error only for data that does not fit its schema.
  virtual Result<Value> At(std::size_t index) const = 0;
  virtual ListOrder order() const { return ListOrder::kPlain; }
  // Of an item in a list of order kMap.
  virtual Result<Value> KeyOf(const Value& item) const;
};

class Map {
 public:
  virtual ~Map() = default;
  virtual std::size_t size() const = 0;
  // In a fixed order.
  virtual std::vector<Value> Keys() const = 0;
  // None if it is not there.
  virtual Result<std::optional<Value>> Find(const Value& key) const = 0;
  // By the name of a field, as expressions write it.
  virtual Result<std::optional<Value>> FindField(const std::string& name) const;
};

struct Null {};
struct Bytes {
  std::string data;
};
struct DurationValue {
  std::int64_t nanos = 0;
};
// Since 1970, as far as CEL goes: from the year 1 to 9999.
struct Timestamp {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;  // never negative
};
struct TypeName {
  std::string name;
};
struct Optional {
  std::shared_ptr<const Value> value;  // null: none
};
struct Url {
  std::string scheme, host, path, query, user, fragment;
  std::string text;
};
struct Ip {
  std::string bytes;  // 4 or 16
};
struct Cidr {
  Ip ip;  // as written, not masked
  int prefix = 0;
};
struct Semver {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::string> pre;
  std::string build;
};
struct FormatName {
  std::string name;
};
struct Opaque {
  const boost::json::value* data = nullptr;
};

class Value {
 public:
  using Data = std::variant<Null, bool, std::int64_t, std::uint64_t, double, std::string, Bytes,
                            std::shared_ptr<const List>, std::shared_ptr<const Map>, DurationValue,
                            Timestamp, TypeName, Optional, Quantity, std::shared_ptr<const Url>, Ip,
                            Cidr, std::shared_ptr<const Semver>, FormatName, Opaque>;

  Value() = default;
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Value> && std::is_constructible_v<Data, T>)
  Value(T&& data) : data_(std::forward<T>(data)) {}  // NOLINT: a value is what it holds

  Kind kind() const;
  const Data& data() const { return data_; }

  template <class T>
  const T* If() const {
    return std::get_if<T>(&data_);
  }
  template <class T>
  const T& As() const {
    return std::get<T>(data_);
  }
  const List& list() const { return *As<std::shared_ptr<const List>>(); }
  const Map& map() const { return *As<std::shared_ptr<const Map>>(); }
  const std::string& text() const { return As<std::string>(); }

 private:
  Data data_;
};

Value MakeList(std::vector<Value> items);
// The entries keep their order; a later one with an equal key is an error.
Result<Value> MakeMap(std::vector<std::pair<Value, Value>> entries);
Value MakeOptional(Value value);
Value NoValue();

// Numbers of all types compare by what they are worth; values of different kinds are not equal.
Result<bool> Equal(const Value& a, const Value& b);

// -1, 0 or 1. Fails on what has no order.
Result<int> Compare(const Value& a, const Value& b);

// Characters of a text, bytes, items: what size() says. 1 for what has none.
std::size_t SizeOf(const Value& value);

// An evaluation that went wrong, in the words of CEL.
Failure Wrong(std::string message);
Failure NoSuchOverload();

}  // namespace millwright::kube::cel
