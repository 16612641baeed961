// Values that may be absent.
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

const std::shared_ptr<const Value>& Inner(const Value& value) { return value.As<Optional>().value; }

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull: return true;
    case Kind::kBool: return !value.As<bool>();
    case Kind::kInt: return value.As<std::int64_t>() == 0;
    case Kind::kUint: return value.As<std::uint64_t>() == 0;
    case Kind::kDouble: return value.As<double>() == 0;
    case Kind::kString: return value.text().empty();
    case Kind::kBytes: return value.As<Bytes>().data.empty();
    case Kind::kList: return value.list().size() == 0;
    case Kind::kMap: return value.map().size() == 0;
    case Kind::kDuration: return value.As<DurationValue>().nanos == 0;
    case Kind::kTimestamp:
    case Kind::kType:
    case Kind::kOptional:
    case Kind::kQuantity:
    case Kind::kUrl:
    case Kind::kIp:
    case Kind::kCidr:
    case Kind::kSemver:
    case Kind::kFormat:
    case Kind::kOpaque:
    case Kind::kObject:
    case Kind::kDyn:
    case Kind::kParam: break;
  }
  return false;
}

Result<Value> Of(Arguments a, Budget&) { return MakeOptional(a[0]); }
Result<Value> OfNonZero(Arguments a, Budget&) {
  return IsZero(a[0]) ? NoValue() : MakeOptional(a[0]);
}
Result<Value> None(Arguments, Budget&) { return NoValue(); }
Result<Value> HasValue(Arguments a, Budget&) { return Value(Inner(a[0]) != nullptr); }
Result<Value> ValueOf(Arguments a, Budget&) {
  if (!Inner(a[0])) return Wrong("optional.none() dereference");
  return *Inner(a[0]);
}
Result<Value> Or(Arguments a, Budget&) { return Inner(a[0]) ? a[0] : a[1]; }
Result<Value> OrValue(Arguments a, Budget&) { return Inner(a[0]) ? *Inner(a[0]) : a[1]; }

}  // namespace

std::span<const Declaration> OptionalDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"optional.of(A) -> optional<A>", &Of},
      {"optional.ofNonZeroValue(A) -> optional<A>", &OfNonZero},
      {"optional.none() -> optional<A>", &None},
      {"optional<A>.hasValue() -> bool", &HasValue},
      {"optional<A>.value() -> A", &ValueOf},
      {"optional<A>.or(optional<A>) -> optional<A>", &Or},
      {"optional<A>.orValue(A) -> A", &OrValue},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
