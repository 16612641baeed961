// Lists, and lists as sets.
#include <fmt/format.h>

#include <algorithm>

#include "kube/cel/functions.h"
#include "kube/cel/weight.h"

namespace millwright::kube::cel {

namespace {

using Int = std::int64_t;

// All items, paid for.
Result<std::vector<Value>> ItemsOf(const Value& value, Budget& budget) {
  const List& list = value.list();
  CHECK_OK(budget.SpendOn(list.size()));
  std::vector<Value> items;
  items.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY(Value item, list.At(i));
    items.push_back(std::move(item));
  }
  return items;
}

Result<bool> Same(const Value& a, const Value& b, Budget& budget) {
  CHECK_OK(budget.Spend(CompareWeight(a, b)));
  return Equal(a, b);
}

Result<bool> Has(const std::vector<Value>& items, const Value& wanted, Budget& budget) {
  for (const Value& item : items) {
    TRY(const bool same, Same(item, wanted, budget));
    if (same) return true;
  }
  return false;
}

Result<Value> IsSorted(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  for (std::size_t i = 1; i < items.size(); ++i) {
    CHECK_OK(budget.Spend(CompareWeight(items[i - 1], items[i])));
    TRY(const int order, Compare(items[i - 1], items[i]));
    if (order > 0) return Value(false);
  }
  return Value(true);
}

template <int kDirection>
Result<Value> Extreme(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  if (items.empty())
    return Wrong(kDirection > 0 ? "max called on empty list" : "min called on empty list");
  Value best = items.front();
  for (const Value& item : items) {
    CHECK_OK(budget.Spend(CompareWeight(item, best)));
    TRY(const int order, Compare(item, best));
    if (order * kDirection > 0) best = item;
  }
  return best;
}

template <class Number>
Result<Value> SumOf(const std::vector<Value>& items) {
  Number sum{};
  for (const Value& item : items) {
    const Number* number = item.If<Number>();
    if (number == nullptr) return NoSuchOverload();
    if constexpr (std::is_integral_v<Number>) {
      if (__builtin_add_overflow(sum, *number, &sum)) return Wrong("integer overflow");
    } else {
      sum += *number;
    }
  }
  return Value(sum);
}

template <class Number>
Result<Value> Sum(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  // Where the type was not known before, the items tell.
  if (!items.empty() && items[0].kind() == Kind::kDouble) return SumOf<double>(items);
  if (!items.empty() && items[0].kind() == Kind::kUint) return SumOf<std::uint64_t>(items);
  if (!items.empty() && items[0].kind() == Kind::kInt) return SumOf<Int>(items);
  return SumOf<Number>(items);
}

Result<Value> SumDurations(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  std::int64_t sum = 0;
  for (const Value& item : items) {
    const auto* duration = item.If<DurationValue>();
    if (duration == nullptr) return NoSuchOverload();
    if (__builtin_add_overflow(sum, duration->nanos, &sum)) return Wrong("duration overflow");
  }
  return Value(DurationValue{sum});
}

// Dispatches by the items, since all lists are alike at run time.
Result<Value> AnySum(Arguments a, Budget& budget) {
  const List& list = a[0].list();
  if (list.size() > 0) {
    TRY(const Value first, list.At(0));
    if (first.kind() == Kind::kDuration) return SumDurations(a, budget);
  }
  return Sum<Int>(a, budget);
}

Result<Value> FirstIndex(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  for (std::size_t i = 0; i < items.size(); ++i) {
    TRY(const bool same, Same(items[i], a[1], budget));
    if (same) return Value(static_cast<Int>(i));
  }
  return Value(Int{-1});
}
Result<Value> LastIndex(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  for (std::size_t i = items.size(); i > 0; --i) {
    TRY(const bool same, Same(items[i - 1], a[1], budget));
    if (same) return Value(static_cast<Int>(i) - 1);
  }
  return Value(Int{-1});
}

Result<Value> Slice(Arguments a, Budget& budget) {
  TRY(auto items, ItemsOf(a[0], budget));
  const Int begin = a[1].As<Int>();
  const Int end = a[2].As<Int>();
  const auto size = static_cast<Int>(items.size());
  if (begin < 0 || end < 0) {
    return Wrong(fmt::format("cannot slice({}, {}), negative indexes not supported", begin, end));
  }
  if (begin > end) {
    return Wrong(
        fmt::format("cannot slice({}, {}), start index must be less than or equal to end "
                    "index",
                    begin, end));
  }
  if (end > size)
    return Wrong(fmt::format("cannot slice({}, {}), list is length {}", begin, end, size));
  return MakeList({items.begin() + begin, items.begin() + end});
}

Result<void> FlattenInto(const Value& list, Int depth, std::vector<Value>& out, Budget& budget) {
  TRY(const auto items, ItemsOf(list, budget));
  for (const Value& item : items) {
    if (item.kind() == Kind::kList && depth > 0) {
      CHECK_OK(FlattenInto(item, depth - 1, out, budget));
    } else {
      out.push_back(item);
    }
  }
  return Ok();
}
Result<Value> Flatten(Arguments a, Budget& budget) {
  const Int depth = a.size() > 1 ? a[1].As<Int>() : 1;
  if (depth < 0) return Wrong("level must be non-negative");
  std::vector<Value> out;
  CHECK_OK(FlattenInto(a[0], std::min<Int>(depth, 100), out, budget));
  return MakeList(std::move(out));
}

// By merging: unlike the sorts of the standard library, this one may stop half-way.
Result<std::vector<Value>> Sorted(std::span<const Value> items, Budget& budget) {
  if (items.size() < 2) return std::vector<Value>(items.begin(), items.end());
  TRY(const auto left, Sorted(items.first(items.size() / 2), budget));
  TRY(const auto right, Sorted(items.subspan(items.size() / 2), budget));
  std::vector<Value> merged;
  merged.reserve(items.size());
  auto x = left.begin();
  auto y = right.begin();
  while (x != left.end() && y != right.end()) {
    CHECK_OK(budget.Spend(CompareWeight(*x, *y)));
    TRY(const int order, Compare(*x, *y));
    merged.push_back(order <= 0 ? *x++ : *y++);
  }
  merged.insert(merged.end(), x, left.end());
  merged.insert(merged.end(), y, right.end());
  return merged;
}

Result<Value> Sort(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  TRY(auto sorted, Sorted(items, budget));
  return MakeList(std::move(sorted));
}

Result<Value> Distinct(Arguments a, Budget& budget) {
  TRY(const auto items, ItemsOf(a[0], budget));
  std::vector<Value> out;
  for (const Value& item : items) {
    TRY(const bool known, Has(out, item, budget));
    if (!known) out.push_back(item);
  }
  return MakeList(std::move(out));
}

Result<Value> Reverse(Arguments a, Budget& budget) {
  TRY(auto items, ItemsOf(a[0], budget));
  std::ranges::reverse(items);
  return MakeList(std::move(items));
}

Result<Value> Range(Arguments a, Budget& budget) {
  const Int count = a[0].As<Int>();
  if (count > 0) CHECK_OK(budget.Spend(static_cast<std::uint64_t>(count)));
  std::vector<Value> items;
  for (Int i = 0; i < count; ++i) items.emplace_back(i);
  return MakeList(std::move(items));
}

Result<Value> First(Arguments a, Budget&) {
  const List& list = a[0].list();
  if (list.size() == 0) return NoValue();
  TRY(Value item, list.At(0));
  return MakeOptional(std::move(item));
}
Result<Value> Last(Arguments a, Budget&) {
  const List& list = a[0].list();
  if (list.size() == 0) return NoValue();
  TRY(Value item, list.At(list.size() - 1));
  return MakeOptional(std::move(item));
}

Result<bool> ContainsAll(const Value& x, const Value& y, Budget& budget) {
  TRY(const auto all, ItemsOf(x, budget));
  TRY(const auto wanted, ItemsOf(y, budget));
  for (const Value& item : wanted) {
    TRY(const bool has, Has(all, item, budget));
    if (!has) return false;
  }
  return true;
}
Result<Value> SetContains(Arguments a, Budget& budget) {
  TRY(const bool contains, ContainsAll(a[0], a[1], budget));
  return Value(contains);
}
Result<Value> SetEquivalent(Arguments a, Budget& budget) {
  TRY(const bool there, ContainsAll(a[0], a[1], budget));
  TRY(const bool back, ContainsAll(a[1], a[0], budget));
  return Value(there && back);
}
Result<Value> SetIntersects(Arguments a, Budget& budget) {
  TRY(const auto all, ItemsOf(a[0], budget));
  TRY(const auto others, ItemsOf(a[1], budget));
  for (const Value& item : others) {
    TRY(const bool has, Has(all, item, budget));
    if (has) return Value(true);
  }
  return Value(false);
}

}  // namespace

std::span<const Declaration> ListDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"list<int>.isSorted() -> bool", &IsSorted},
      {"list<uint>.isSorted() -> bool", &IsSorted},
      {"list<double>.isSorted() -> bool", &IsSorted},
      {"list<bool>.isSorted() -> bool", &IsSorted},
      {"list<duration>.isSorted() -> bool", &IsSorted},
      {"list<timestamp>.isSorted() -> bool", &IsSorted},
      {"list<string>.isSorted() -> bool", &IsSorted},
      {"list<bytes>.isSorted() -> bool", &IsSorted},
      {"list<int>.sum() -> int", &AnySum},
      {"list<uint>.sum() -> uint", &AnySum},
      {"list<double>.sum() -> double", &AnySum},
      {"list<duration>.sum() -> duration", &AnySum},
      {"list<int>.max() -> int", &Extreme<1>},
      {"list<uint>.max() -> uint", &Extreme<1>},
      {"list<double>.max() -> double", &Extreme<1>},
      {"list<bool>.max() -> bool", &Extreme<1>},
      {"list<duration>.max() -> duration", &Extreme<1>},
      {"list<timestamp>.max() -> timestamp", &Extreme<1>},
      {"list<string>.max() -> string", &Extreme<1>},
      {"list<bytes>.max() -> bytes", &Extreme<1>},
      {"list<int>.min() -> int", &Extreme<-1>},
      {"list<uint>.min() -> uint", &Extreme<-1>},
      {"list<double>.min() -> double", &Extreme<-1>},
      {"list<bool>.min() -> bool", &Extreme<-1>},
      {"list<duration>.min() -> duration", &Extreme<-1>},
      {"list<timestamp>.min() -> timestamp", &Extreme<-1>},
      {"list<string>.min() -> string", &Extreme<-1>},
      {"list<bytes>.min() -> bytes", &Extreme<-1>},
      {"list<A>.indexOf(A) -> int", &FirstIndex},
      {"list<A>.lastIndexOf(A) -> int", &LastIndex},
      {"list<A>.slice(int, int) -> list<A>", &Slice},
      {"list<list<A>>.flatten() -> list<A>", &Flatten},
      {"list<dyn>.flatten(int) -> list<dyn>", &Flatten},
      {"list<int>.sort() -> list<int>", &Sort},
      {"list<uint>.sort() -> list<uint>", &Sort},
      {"list<double>.sort() -> list<double>", &Sort},
      {"list<bool>.sort() -> list<bool>", &Sort},
      {"list<duration>.sort() -> list<duration>", &Sort},
      {"list<timestamp>.sort() -> list<timestamp>", &Sort},
      {"list<string>.sort() -> list<string>", &Sort},
      {"list<bytes>.sort() -> list<bytes>", &Sort},
      {"list<A>.distinct() -> list<A>", &Distinct},
      {"list<A>.reverse() -> list<A>", &Reverse},
      {"list<A>.first() -> optional<A>", &First},
      {"list<A>.last() -> optional<A>", &Last},
      {"lists.range(int) -> list<int>", &Range},
      {"sets.contains(list<A>, list<A>) -> bool", &SetContains},
      {"sets.equivalent(list<A>, list<A>) -> bool", &SetEquivalent},
      {"sets.intersects(list<A>, list<A>) -> bool", &SetIntersects},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
