// Amounts such as 500m and 1Gi.
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

const Quantity& Amount(const Value& value) { return value.As<Quantity>(); }

bool IsWhole(const Quantity& amount) { return Quantity(amount.Value()) == amount; }

Result<Value> Parse(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  auto amount = ParseQuantity(a[0].text());
  if (!amount) {
    return Wrong(
        "quantities must match the regular expression "
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  return Value(*std::move(amount));
}
Result<Value> IsQuantity(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(ParseQuantity(a[0].text()).has_value());
}
Result<Value> Sign(Arguments a, Budget&) {
  const Quantity& amount = Amount(a[0]);
  return Value(std::int64_t{amount.IsZero() ? 0 : (amount.IsNegative() ? -1 : 1)});
}
Result<Value> IsGreater(Arguments a, Budget&) { return Value(Amount(a[0]) > Amount(a[1])); }
Result<Value> IsLess(Arguments a, Budget&) { return Value(Amount(a[0]) < Amount(a[1])); }
Result<Value> CompareTo(Arguments a, Budget&) {
  TRY(const int order, Compare(a[0], a[1]));
  return Value(std::int64_t{order});
}
Result<Value> AsFloat(Arguments a, Budget&) {
  const Quantity& amount = Amount(a[0]);
  if (IsWhole(amount)) return Value(static_cast<double>(amount.Value()));
  return Value(static_cast<double>(amount.MilliValue()) / 1000);
}
Result<Value> AsInteger(Arguments a, Budget&) {
  if (!IsWhole(Amount(a[0]))) return Wrong("cannot convert value to integer");
  return Value(Amount(a[0]).Value());
}
Result<Value> IsInteger(Arguments a, Budget&) { return Value(IsWhole(Amount(a[0]))); }
Result<Value> Add(Arguments a, Budget&) { return Value(Amount(a[0]) + Amount(a[1])); }
Result<Value> AddInt(Arguments a, Budget&) {
  return Value(Amount(a[0]) + Quantity(a[1].As<std::int64_t>()));
}
Result<Value> Sub(Arguments a, Budget&) { return Value(Amount(a[0]) - Amount(a[1])); }
Result<Value> SubInt(Arguments a, Budget&) {
  return Value(Amount(a[0]) - Quantity(a[1].As<std::int64_t>()));
}

}  // namespace

std::span<const Declaration> QuantityDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"quantity(string) -> Quantity", &Parse},
      {"isQuantity(string) -> bool", &IsQuantity},
      {"sign(Quantity) -> int", &Sign},
      {"Quantity.isGreaterThan(Quantity) -> bool", &IsGreater},
      {"Quantity.isLessThan(Quantity) -> bool", &IsLess},
      {"Quantity.compareTo(Quantity) -> int", &CompareTo},
      {"Quantity.asApproximateFloat() -> double", &AsFloat},
      {"Quantity.asInteger() -> int", &AsInteger},
      {"Quantity.isInteger() -> bool", &IsInteger},
      {"Quantity.add(Quantity) -> Quantity", &Add},
      {"Quantity.add(int) -> Quantity", &AddInt},
      {"Quantity.sub(Quantity) -> Quantity", &Sub},
      {"Quantity.sub(int) -> Quantity", &SubInt},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
