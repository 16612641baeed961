// Arithmetic, comparison, indexing.
#include <fmt/format.h>

#include <cmath>

#include "kube/cel/functions.h"
#include "kube/cel/text.h"
#include "kube/cel/times.h"
#include "kube/cel/weight.h"

namespace millwright::kube::cel {

namespace {

using Int = std::int64_t;
using Uint = std::uint64_t;

Failure Overflow() { return Wrong("integer overflow"); }
Failure UnsignedOverflow() { return Wrong("unsigned integer overflow"); }

template <bool (*Try)(Int, Int, Int*)>
Result<Value> IntMath(Arguments a, Budget&) {
  Int result = 0;
  if (Try(a[0].As<Int>(), a[1].As<Int>(), &result)) return Overflow();
  return Value(result);
}
bool AddInt(Int a, Int b, Int* r) { return __builtin_add_overflow(a, b, r); }
bool SubInt(Int a, Int b, Int* r) { return __builtin_sub_overflow(a, b, r); }
bool MulInt(Int a, Int b, Int* r) { return __builtin_mul_overflow(a, b, r); }

template <bool (*Try)(Uint, Uint, Uint*)>
Result<Value> UintMath(Arguments a, Budget&) {
  Uint result = 0;
  if (Try(a[0].As<Uint>(), a[1].As<Uint>(), &result)) return UnsignedOverflow();
  return Value(result);
}
bool AddUint(Uint a, Uint b, Uint* r) { return __builtin_add_overflow(a, b, r); }
bool SubUint(Uint a, Uint b, Uint* r) { return __builtin_sub_overflow(a, b, r); }
bool MulUint(Uint a, Uint b, Uint* r) { return __builtin_mul_overflow(a, b, r); }

Result<Value> DivideInt(Arguments a, Budget&) {
  const Int x = a[0].As<Int>();
  const Int y = a[1].As<Int>();
  if (y == 0) return Wrong("division by zero");
  if (y == -1 && x == std::numeric_limits<Int>::min()) return Overflow();
  return Value(x / y);
}
Result<Value> ModuloInt(Arguments a, Budget&) {
  const Int x = a[0].As<Int>();
  const Int y = a[1].As<Int>();
  if (y == 0) return Wrong("modulus by zero");
  if (y == -1 && x == std::numeric_limits<Int>::min()) return Overflow();
  return Value(x % y);
}
Result<Value> DivideUint(Arguments a, Budget&) {
  if (a[1].As<Uint>() == 0) return Wrong("division by zero");
  return Value(a[0].As<Uint>() / a[1].As<Uint>());
}
Result<Value> ModuloUint(Arguments a, Budget&) {
  if (a[1].As<Uint>() == 0) return Wrong("modulus by zero");
  return Value(a[0].As<Uint>() % a[1].As<Uint>());
}
Result<Value> NegateInt(Arguments a, Budget&) {
  if (a[0].As<Int>() == std::numeric_limits<Int>::min()) return Overflow();
  return Value(-a[0].As<Int>());
}

template <char Sign>
Result<Value> DoubleMath(Arguments a, Budget&) {
  const double x = a[0].As<double>();
  const double y = a[1].As<double>();
  if constexpr (Sign == '+') return Value(x + y);
  if constexpr (Sign == '-') return Value(x - y);
  if constexpr (Sign == '*') return Value(x * y);
  if constexpr (Sign == '/') return Value(x / y);
}
Result<Value> NegateDouble(Arguments a, Budget&) { return Value(-a[0].As<double>()); }

Result<Value> JoinTexts(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size() + a[1].text().size()));
  return Value(a[0].text() + a[1].text());
}
Result<Value> JoinBytes(Arguments a, Budget& budget) {
  const std::string& x = a[0].As<Bytes>().data;
  const std::string& y = a[1].As<Bytes>().data;
  CHECK_OK(budget.SpendOn(x.size() + y.size()));
  return Value(Bytes{x + y});
}

// Where an item equal to this one (or of the same key) stands; the end if nowhere.
Result<std::size_t> PlaceOf(const List& list, const std::vector<Value>& items, const Value& item) {
  TRY(const Value wanted, list.KeyOf(item));
  for (std::size_t i = 0; i < items.size(); ++i) {
    TRY(const Value key, list.KeyOf(items[i]));
    TRY(const bool same, Equal(key, wanted));
    if (same) return i;
  }
  return items.size();
}

Result<Value> JoinLists(Arguments a, Budget& budget) {
  const List& x = a[0].list();
  const List& y = a[1].list();
  const bool plain = x.order() == ListOrder::kPlain;
  CHECK_OK(budget.SpendOn(plain ? x.size() + y.size() : (x.size() + 1) * (y.size() + 1)));
  std::vector<Value> items;
  items.reserve(x.size() + y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    TRY(Value item, x.At(i));
    items.push_back(std::move(item));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    TRY(Value item, y.At(i));
    std::size_t place = items.size();
    if (!plain) {
      TRY(place, PlaceOf(x, items, item));
    }
    if (place == items.size()) {
      items.push_back(std::move(item));
    } else if (x.order() == ListOrder::kMap) {
      items[place] = std::move(item);
    }
  }
  return MakeList(std::move(items));
}

Result<Value> AreEqual(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend(CompareWeight(a[0], a[1])));
  TRY(const bool same, Equal(a[0], a[1]));
  return Value(same);
}
Result<Value> AreDifferent(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend(CompareWeight(a[0], a[1])));
  TRY(const bool same, Equal(a[0], a[1]));
  return Value(!same);
}

template <bool (*Test)(int)>
Result<Value> Ordered(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend(CompareWeight(a[0], a[1])));
  TRY(const int order, Compare(a[0], a[1]));
  return Value(Test(order));
}
bool IsLess(int order) { return order < 0; }
bool IsLessOrEqual(int order) { return order <= 0; }
bool IsGreater(int order) { return order > 0; }
bool IsGreaterOrEqual(int order) { return order >= 0; }

Result<Value> IsInList(Arguments a, Budget& budget) {
  const List& list = a[1].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY(const Value item, list.At(i));
    CHECK_OK(budget.Spend(CompareWeight(a[0], item)));
    TRY(const bool same, Equal(a[0], item));
    if (same) return Value(true);
  }
  return Value(false);
}
Result<Value> IsInMap(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend(1));
  TRY(const auto found, a[1].map().Find(a[0]));
  return Value(found.has_value());
}

// The whole number that an index is worth; none if it is none.
std::optional<Int> IndexOf(const Value& value) {
  if (const Int* whole = value.If<Int>()) return *whole;
  if (const Uint* whole = value.If<Uint>()) {
    return *whole > static_cast<Uint>(std::numeric_limits<Int>::max()) ? Int{-1}
                                                                       : static_cast<Int>(*whole);
  }
  const double* real = value.If<double>();
  if (real == nullptr || *real != std::floor(*real) || std::abs(*real) > 1e15) return std::nullopt;
  return static_cast<Int>(*real);
}

Result<Value> ItemAt(Arguments a, Budget&) {
  const auto index = IndexOf(a[1]);
  if (!index) return Wrong(fmt::format("unsupported index type '{}' in list", NameOf(a[1].kind())));
  const List& list = a[0].list();
  if (*index < 0 || static_cast<std::size_t>(*index) >= list.size()) {
    return Wrong(fmt::format("index out of bounds: {}", *index));
  }
  return list.At(static_cast<std::size_t>(*index));
}
Result<Value> EntryAt(Arguments a, Budget&) {
  TRY(auto found, a[0].map().Find(a[1]));
  if (!found) return Wrong("no such key: " + Shown(a[1]));
  return *std::move(found);
}

Result<Value> OptionalItemAt(Arguments a, Budget&) {
  const auto index = IndexOf(a[1]);
  const List& list = a[0].list();
  if (!index || *index < 0 || static_cast<std::size_t>(*index) >= list.size()) return NoValue();
  TRY(Value item, list.At(static_cast<std::size_t>(*index)));
  return MakeOptional(std::move(item));
}
Result<Value> OptionalEntryAt(Arguments a, Budget&) {
  TRY(auto found, a[0].map().Find(a[1]));
  return found ? MakeOptional(*std::move(found)) : NoValue();
}
Result<Value> IndexOptional(Arguments a, Budget& budget) {
  const auto& inner = a[0].As<Optional>().value;
  if (!inner) return NoValue();
  const Value arguments[] = {*inner, a[1]};
  if (inner->kind() == Kind::kList) return OptionalItemAt(arguments, budget);
  if (inner->kind() == Kind::kMap) return OptionalEntryAt(arguments, budget);
  return NoSuchOverload();
}

Result<Value> Not(Arguments a, Budget&) { return Value(!a[0].As<bool>()); }

Result<Value> Size(Arguments a, Budget&) { return Value(static_cast<Int>(SizeOf(a[0]))); }

}  // namespace

std::span<const Declaration> OperatorDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"_+_(int, int) -> int", &IntMath<&AddInt>},
      {"_+_(uint, uint) -> uint", &UintMath<&AddUint>},
      {"_+_(double, double) -> double", &DoubleMath<'+'>},
      {"_+_(string, string) -> string", &JoinTexts},
      {"_+_(bytes, bytes) -> bytes", &JoinBytes},
      {"_+_(list<A>, list<A>) -> list<A>", &JoinLists},
      {"_+_(duration, duration) -> duration", &AddDurations},
      {"_+_(timestamp, duration) -> timestamp", &AddToTime},
      {"_+_(duration, timestamp) -> timestamp", &AddToDuration},
      {"_-_(int, int) -> int", &IntMath<&SubInt>},
      {"_-_(uint, uint) -> uint", &UintMath<&SubUint>},
      {"_-_(double, double) -> double", &DoubleMath<'-'>},
      {"_-_(duration, duration) -> duration", &SubtractDurations},
      {"_-_(timestamp, duration) -> timestamp", &SubtractFromTime},
      {"_-_(timestamp, timestamp) -> duration", &TimeBetween},
      {"_*_(int, int) -> int", &IntMath<&MulInt>},
      {"_*_(uint, uint) -> uint", &UintMath<&MulUint>},
      {"_*_(double, double) -> double", &DoubleMath<'*'>},
      {"_/_(int, int) -> int", &DivideInt},
      {"_/_(uint, uint) -> uint", &DivideUint},
      {"_/_(double, double) -> double", &DoubleMath<'/'>},
      {"_%_(int, int) -> int", &ModuloInt},
      {"_%_(uint, uint) -> uint", &ModuloUint},
      {"-_(int) -> int", &NegateInt},
      {"-_(double) -> double", &NegateDouble},
      {"!_(bool) -> bool", &Not},
      {"_==_(A, A) -> bool", &AreEqual},
      {"_!=_(A, A) -> bool", &AreDifferent},
#define MW_ORDERED(sign, test)                                         \
  {"_" sign "_(bool, bool) -> bool", &Ordered<&test>},                 \
      {"_" sign "_(int, int) -> bool", &Ordered<&test>},               \
      {"_" sign "_(int, uint) -> bool", &Ordered<&test>},              \
      {"_" sign "_(int, double) -> bool", &Ordered<&test>},            \
      {"_" sign "_(uint, uint) -> bool", &Ordered<&test>},             \
      {"_" sign "_(uint, int) -> bool", &Ordered<&test>},              \
      {"_" sign "_(uint, double) -> bool", &Ordered<&test>},           \
      {"_" sign "_(double, double) -> bool", &Ordered<&test>},         \
      {"_" sign "_(double, int) -> bool", &Ordered<&test>},            \
      {"_" sign "_(double, uint) -> bool", &Ordered<&test>},           \
      {"_" sign "_(string, string) -> bool", &Ordered<&test>},         \
      {"_" sign "_(bytes, bytes) -> bool", &Ordered<&test>},           \
      {"_" sign "_(timestamp, timestamp) -> bool", &Ordered<&test>}, { \
    "_" sign "_(duration, duration) -> bool", &Ordered<&test>          \
  }
      MW_ORDERED("<", IsLess),
      MW_ORDERED("<=", IsLessOrEqual),
      MW_ORDERED(">", IsGreater),
      MW_ORDERED(">=", IsGreaterOrEqual),
#undef MW_ORDERED
      {"@in(A, list<A>) -> bool", &IsInList},
      {"@in(A, map<A, B>) -> bool", &IsInMap},
      {"_[_](list<A>, int) -> A", &ItemAt},
      {"_[_](list<A>, uint) -> A", &ItemAt},
      {"_[_](list<A>, double) -> A", &ItemAt},
      {"_[_](map<A, B>, A) -> B", &EntryAt},
      {"_[?_](list<A>, int) -> optional<A>", &OptionalItemAt},
      {"_[?_](map<A, B>, A) -> optional<B>", &OptionalEntryAt},
      {"_[?_](optional<list<A>>, int) -> optional<A>", &IndexOptional},
      {"_[?_](optional<map<A, B>>, A) -> optional<B>", &IndexOptional},
      {"_[_](optional<list<A>>, int) -> optional<A>", &IndexOptional},
      {"_[_](optional<map<A, B>>, A) -> optional<B>", &IndexOptional},
      {"size(string) -> int", &Size},
      {"size(bytes) -> int", &Size},
      {"size(list<A>) -> int", &Size},
      {"size(map<A, B>) -> int", &Size},
      {"string.size() -> int", &Size},
      {"bytes.size() -> int", &Size},
      {"list<A>.size() -> int", &Size},
      {"map<A, B>.size() -> int", &Size},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
