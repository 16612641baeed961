#include "kube/cel/weight.h"

#include <algorithm>

namespace millwright::kube::cel {

namespace {

// More than any rule may spend.
constexpr std::uint64_t kEnough = 20'000'000;

void Add(const Value& value, std::uint64_t& weight) {
  if (weight > kEnough) return;
  ++weight;
  if (const std::string* text = value.If<std::string>()) weight += text->size();
  if (const Bytes* bytes = value.If<Bytes>()) weight += bytes->data.size();
  if (value.kind() == Kind::kList) {
    const List& list = value.list();
    for (std::size_t i = 0; i < list.size() && weight < kEnough; ++i) {
      if (const auto item = list.At(i)) Add(*item, weight);
    }
  }
  if (value.kind() == Kind::kMap) {
    const Map& map = value.map();
    for (const Value& key : map.Keys()) {
      if (weight > kEnough) return;
      Add(key, weight);
      const auto entry = map.Find(key);
      if (entry && *entry) Add(**entry, weight);
    }
  }
  if (const Optional* optional = value.If<Optional>(); optional != nullptr && optional->value) {
    Add(*optional->value, weight);
  }
}

bool IsUnordered(const Value& value) {
  return value.kind() == Kind::kList && value.list().order() != ListOrder::kPlain;
}

}  // namespace

std::uint64_t WeightOf(const Value& value) {
  std::uint64_t weight = 0;
  Add(value, weight);
  return weight;
}

std::uint64_t CompareWeight(const Value& a, const Value& b) {
  const bool small = a.kind() != Kind::kList && a.kind() != Kind::kMap;
  if (small && a.kind() != Kind::kString) return 1;
  if (a.kind() != b.kind()) return 1;
  const std::uint64_t x = WeightOf(a);
  const std::uint64_t y = WeightOf(b);
  if (IsUnordered(a) || IsUnordered(b)) return x / 10 * b.list().size() + y + 1;
  return std::min(x, y) / 10 + 1;
}

}  // namespace millwright::kube::cel
