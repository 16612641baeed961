#include "kube/cel/value.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include <algorithm>
#include <cmath>

#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

class VectorList final : public List {
 public:
  explicit VectorList(std::vector<Value> items) : items_(std::move(items)) {}
  std::size_t size() const override { return items_.size(); }
  Result<Value> At(std::size_t index) const override { return items_[index]; }

 private:
  std::vector<Value> items_;
};

class VectorMap final : public Map {
 public:
  explicit VectorMap(std::vector<std::pair<Value, Value>> entries) : entries_(std::move(entries)) {}
  std::size_t size() const override { return entries_.size(); }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    for (const auto& entry : entries_) keys.push_back(entry.first);
    return keys;
  }
  Result<std::optional<Value>> Find(const Value& key) const override {
    for (const auto& [other, value] : entries_) {
      TRY(const bool same, Equal(other, key));
      if (same) return value;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::pair<Value, Value>> entries_;
};

bool IsNumber(Kind kind) {
  return kind == Kind::kInt || kind == Kind::kUint || kind == Kind::kDouble;
}

template <class T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int CompareIntUint(std::int64_t a, std::uint64_t b) {
  return a < 0 ? -1 : Order(static_cast<std::uint64_t>(a), b);
}

// Beyond the range of the whole type a double is simply larger or smaller.
template <class Whole>
int CompareWholeDouble(Whole a, double b) {
  constexpr double kAbove =
      std::is_signed_v<Whole> ? 9223372036854775808.0 : 18446744073709551616.0;
  if (b > kAbove) return -1;
  if (b < static_cast<double>(std::numeric_limits<Whole>::min())) return 1;
  return Order(static_cast<double>(a), b);
}

// Fails on NaN, which has no order.
Result<int> CompareNumbers(const Value& a, const Value& b) {
  for (const Value* one : {&a, &b}) {
    const auto* number = one->If<double>();
    if (number != nullptr && std::isnan(*number)) return Wrong("NaN values cannot be ordered");
  }
  return std::visit(
      [](const auto& x, const auto& y) -> Result<int> {
        using X = std::remove_cvref_t<decltype(x)>;
        using Y = std::remove_cvref_t<decltype(y)>;
        constexpr bool kNumbers = (std::is_same_v<X, std::int64_t> ||
                                   std::is_same_v<X, std::uint64_t> || std::is_same_v<X, double>) &&
                                  (std::is_same_v<Y, std::int64_t> ||
                                   std::is_same_v<Y, std::uint64_t> || std::is_same_v<Y, double>);
        if constexpr (!kNumbers) {
          return NoSuchOverload();
        } else if constexpr (std::is_same_v<X, Y>) {
          return Order(x, y);
        } else if constexpr (std::is_same_v<Y, double>) {
          return CompareWholeDouble(x, y);
        } else if constexpr (std::is_same_v<X, double>) {
          return -CompareWholeDouble(y, x);
        } else if constexpr (std::is_same_v<X, std::int64_t>) {
          return CompareIntUint(x, y);
        } else {
          return -CompareIntUint(y, x);
        }
      },
      a.data(), b.data());
}

Result<bool> SameItemsInOrder(const List& a, const List& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    TRY(const Value x, a.At(i));
    TRY(const Value y, b.At(i));
    TRY(const bool same, Equal(x, y));
    if (!same) return false;
  }
  return true;
}

// Each item of b is in a; by its key, if items have keys.
Result<bool> HasAllOf(const List& a, const List& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    TRY(const Value wanted, b.At(i));
    bool found = false;
    for (std::size_t j = 0; j < a.size() && !found; ++j) {
      TRY(const Value item, a.At(j));
      TRY(found, Equal(item, wanted));
    }
    if (!found) return false;
  }
  return true;
}

Result<bool> EqualLists(const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  if (a.order() == ListOrder::kPlain && b.order() == ListOrder::kPlain) {
    return SameItemsInOrder(a, b);
  }
  return HasAllOf(a, b);
}

Result<bool> EqualMaps(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  for (const Value& key : a.Keys()) {
    TRY(const auto x, a.Find(key));
    TRY(const auto y, b.Find(key));
    if (!x || !y) return false;
    TRY(const bool same, Equal(*x, *y));
    if (!same) return false;
  }
  return true;
}

bool EqualPrerelease(const Semver& a, const Semver& b) {
  return a.major == b.major && a.minor == b.minor && a.patch == b.patch && a.pre == b.pre;
}

}  // namespace

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null_type";
    case Kind::kBool: return "bool";
    case Kind::kInt: return "int";
    case Kind::kUint: return "uint";
    case Kind::kDouble: return "double";
    case Kind::kString: return "string";
    case Kind::kBytes: return "bytes";
    case Kind::kList: return "list";
    case Kind::kMap: return "map";
    case Kind::kDuration: return "google.protobuf.Duration";
    case Kind::kTimestamp: return "google.protobuf.Timestamp";
    case Kind::kType: return "type";
    case Kind::kOptional: return "optional_type";
    case Kind::kQuantity: return "kubernetes.Quantity";
    case Kind::kUrl: return "kubernetes.URL";
    case Kind::kIp: return "net.IP";
    case Kind::kCidr: return "net.CIDR";
    case Kind::kSemver: return "kubernetes.Semver";
    case Kind::kFormat: return "kubernetes.NamedFormat";
    case Kind::kOpaque: return "unknown";
    case Kind::kObject: return "object";
    case Kind::kDyn: return "dyn";
    case Kind::kParam: return "param";
  }
  return "";
}

Failure Wrong(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }
Failure NoSuchOverload() { return Wrong("no such overload"); }

Result<Value> List::KeyOf(const Value& item) const { return item; }

Result<std::optional<Value>> Map::FindField(const std::string& name) const {
  return Find(Value(name));
}

Kind Value::kind() const {
  constexpr Kind kKinds[] = {Kind::kNull,     Kind::kBool,     Kind::kInt,       Kind::kUint,
                             Kind::kDouble,   Kind::kString,   Kind::kBytes,     Kind::kList,
                             Kind::kMap,      Kind::kDuration, Kind::kTimestamp, Kind::kType,
                             Kind::kOptional, Kind::kQuantity, Kind::kUrl,       Kind::kIp,
                             Kind::kCidr,     Kind::kSemver,   Kind::kFormat,    Kind::kOpaque};
  return kKinds[data_.index()];
}

Value MakeList(std::vector<Value> items) {
  return std::shared_ptr<const List>(std::make_shared<VectorList>(std::move(items)));
}

Result<Value> MakeMap(std::vector<std::pair<Value, Value>> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Kind kind = entries[i].first.kind();
    const bool fits = kind == Kind::kBool || kind == Kind::kString || IsNumber(kind);
    if (!fits) return Wrong("unsupported key type");
    for (std::size_t j = 0; j < i; ++j) {
      TRY(const bool same, Equal(entries[i].first, entries[j].first));
      if (same) {
        return Wrong(fmt::format("insert failed: key {} already exists", Shown(entries[i].first)));
      }
    }
  }
  return Value(std::shared_ptr<const Map>(std::make_shared<VectorMap>(std::move(entries))));
}

Value MakeOptional(Value value) {
  return Optional{std::make_shared<const Value>(std::move(value))};
}

Value NoValue() { return Optional{}; }

Result<bool> Equal(const Value& a, const Value& b) {
  const Kind kind = a.kind();
  if (IsNumber(kind) && IsNumber(b.kind())) {
    const auto order = CompareNumbers(a, b);
    return order && *order == 0;
  }
  if (kind == Kind::kOpaque && b.kind() == Kind::kOpaque) {
    return *a.As<Opaque>().data == *b.As<Opaque>().data;
  }
  if (kind != b.kind()) return false;
  switch (kind) {
    case Kind::kNull: return true;
    case Kind::kBool: return a.As<bool>() == b.As<bool>();
    case Kind::kString: return a.text() == b.text();
    case Kind::kBytes: return a.As<Bytes>().data == b.As<Bytes>().data;
    case Kind::kList: return EqualLists(a.list(), b.list());
    case Kind::kMap: return EqualMaps(a.map(), b.map());
    case Kind::kType: return a.As<TypeName>().name == b.As<TypeName>().name;
    case Kind::kUrl:
      return a.As<std::shared_ptr<const Url>>()->text == b.As<std::shared_ptr<const Url>>()->text;
    case Kind::kIp: return a.As<Ip>().bytes == b.As<Ip>().bytes;
    case Kind::kCidr:
      return a.As<Cidr>().ip.bytes == b.As<Cidr>().ip.bytes &&
             a.As<Cidr>().prefix == b.As<Cidr>().prefix;
    case Kind::kSemver:
      return EqualPrerelease(*a.As<std::shared_ptr<const Semver>>(),
                             *b.As<std::shared_ptr<const Semver>>());
    case Kind::kFormat: return a.As<FormatName>().name == b.As<FormatName>().name;
    case Kind::kOptional: {
      const auto& x = a.As<Optional>().value;
      const auto& y = b.As<Optional>().value;
      if (!x || !y) return !x && !y;
      return Equal(*x, *y);
    }
    case Kind::kDuration:
    case Kind::kTimestamp:
    case Kind::kQuantity: {
      TRY(const int order, Compare(a, b));
      return order == 0;
    }
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kOpaque:
    case Kind::kObject:
    case Kind::kDyn:
    case Kind::kParam: break;
  }
  return false;
}

Result<int> Compare(const Value& a, const Value& b) {
  if (IsNumber(a.kind()) && IsNumber(b.kind())) return CompareNumbers(a, b);
  if (a.kind() != b.kind()) return NoSuchOverload();
  if (const bool* truth = a.If<bool>()) return Order(*truth, b.As<bool>());
  if (const std::string* text = a.If<std::string>()) return Order(*text, b.text());
  if (const Bytes* bytes = a.If<Bytes>()) return Order(bytes->data, b.As<Bytes>().data);
  if (const auto* span = a.If<DurationValue>()) {
    return Order(span->nanos, b.As<DurationValue>().nanos);
  }
  if (const Timestamp* x = a.If<Timestamp>()) {
    const Timestamp& y = b.As<Timestamp>();
    return Order(std::pair(x->seconds, x->nanos), std::pair(y.seconds, y.nanos));
  }
  if (const Quantity* amount = a.If<Quantity>()) return Order(*amount, b.As<Quantity>());
  return NoSuchOverload();
}

std::size_t SizeOf(const Value& value) {
  if (const std::string* text = value.If<std::string>()) return CountCharacters(*text);
  if (const Bytes* bytes = value.If<Bytes>()) return bytes->data.size();
  if (value.kind() == Kind::kList) return value.list().size();
  if (value.kind() == Kind::kMap) return value.map().size();
  return 1;
}

}  // namespace millwright::kube::cel
