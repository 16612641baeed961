#include "kube/cel/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

// What making a list or map costs, as CEL counts it.
constexpr std::uint64_t kListCost = 10;
constexpr std::uint64_t kMapCost = 30;

bool IsTypeName(std::string_view name) {
  for (const Kind kind :
       {Kind::kBool, Kind::kInt, Kind::kUint, Kind::kDouble, Kind::kString, Kind::kBytes,
        Kind::kType, Kind::kDyn, Kind::kNull, Kind::kList, Kind::kMap}) {
    if (name == NameOf(kind)) return true;
  }
  return false;
}

std::string QualifiedName(const Expr& expr) {
  if (const Name* name = std::get_if<Name>(&expr.node)) return name->name;
  const Select* select = std::get_if<Select>(&expr.node);
  if (select == nullptr) return {};
  const std::string before = QualifiedName(*select->operand);
  return before.empty() ? before : before + "." + select->field;
}

class Evaluator {
 public:
  Evaluator(const Activation& variables, Budget& budget) : variables_(variables), budget_(budget) {}

  Result<Value> Run(const Expr& expr) {
    return std::visit([&](const auto& node) { return Visit(expr, node); }, expr.node);
  }

 private:
  Result<Value> Visit(const Expr&, const Literal& literal) { return literal.value; }

  Result<Value> Visit(const Expr&, const Name& name) {
    CHECK_OK(budget_.Spend(1));
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->first == name.name) return scope->second;
    }
    const auto found = variables_.find(name.name);
    if (found != variables_.end()) return found->second;
    if (IsTypeName(name.name)) return Value(TypeName{name.name});
    return Wrong("no such attribute: " + name.name);
  }

  Result<Value> Visit(const Expr& expr, const Select& select) {
    CHECK_OK(budget_.Spend(select.presence ? 0 : 1));
    if (select.operand->node.index() != 0) {
      const std::string name = QualifiedName(expr);
      if (name == NameOf(Kind::kDuration) || name == NameOf(Kind::kTimestamp)) {
        return Value(TypeName{name});
      }
    }
    TRY(Value operand, Run(*select.operand));
    const bool wrapped = operand.kind() == Kind::kOptional;
    if (wrapped) {
      const auto inner = operand.As<Optional>().value;
      if (!inner) return select.presence ? Value(false) : NoValue();
      operand = *inner;
    }
    if (operand.kind() != Kind::kMap) return NoSuchOverload();
    TRY(auto found, operand.map().FindField(select.field));
    if (select.presence) return Value(found.has_value());
    if (wrapped || select.optional) return found ? MakeOptional(*std::move(found)) : NoValue();
    if (!found) return Wrong("no such key: " + select.field);
    return *std::move(found);
  }

  Result<Value> Visit(const Expr&, const Call& call) {
    if (call.function == "_&&_") return Both(call);
    if (call.function == "_||_") return Either(call);
    if (call.function == "_?_:_") return Choose(call);
    CHECK_OK(budget_.Spend(1));
    std::vector<Value> arguments;
    arguments.reserve(call.arguments.size());
    for (const ExprPtr& argument : call.arguments) {
      TRY(Value value, Run(*argument));
      arguments.push_back(std::move(value));
    }
    const auto* overloads = FindFunction(call.function);
    if (overloads == nullptr) return NoSuchOverload();
    return Invoke(*overloads, call.member, arguments, budget_);
  }

  // The truth of a value; an error if it has none.
  Result<bool> Truth(const Expr& expr) {
    TRY(const Value value, Run(expr));
    const bool* truth = value.If<bool>();
    if (truth == nullptr) return NoSuchOverload();
    return *truth;
  }

  // Whichever side says no, the other may be in error.
  Result<Value> Both(const Call& call) {
    CHECK_OK(budget_.Spend(1));
    const auto left = Truth(*call.arguments[0]);
    if (left && !*left) return Value(false);
    if (budget_.exhausted()) return Failure(left.error());
    const auto right = Truth(*call.arguments[1]);
    if (right && !*right) return Value(false);
    if (!left) return Failure(left.error());
    if (!right) return Failure(right.error());
    return Value(true);
  }

  Result<Value> Either(const Call& call) {
    CHECK_OK(budget_.Spend(1));
    const auto left = Truth(*call.arguments[0]);
    if (left && *left) return Value(true);
    if (budget_.exhausted()) return Failure(left.error());
    const auto right = Truth(*call.arguments[1]);
    if (right && *right) return Value(true);
    if (!left) return Failure(left.error());
    if (!right) return Failure(right.error());
    return Value(false);
  }

  Result<Value> Choose(const Call& call) {
    CHECK_OK(budget_.Spend(1));
    TRY(const bool yes, Truth(*call.arguments[0]));
    return Run(*call.arguments[yes ? 1 : 2]);
  }

  Result<Value> Visit(const Expr&, const ListLiteral& list) {
    CHECK_OK(budget_.Spend(kListCost));
    std::vector<Value> items;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      TRY(Value item, Run(*list.items[i]));
      if (list.optional[i]) {
        const Optional* optional = item.If<Optional>();
        if (optional == nullptr) return NoSuchOverload();
        if (!optional->value) continue;
        item = Value(*optional->value);
      }
      items.push_back(std::move(item));
    }
    return MakeList(std::move(items));
  }

  Result<Value> Visit(const Expr&, const MapLiteral& map) {
    CHECK_OK(budget_.Spend(kMapCost));
    std::vector<std::pair<Value, Value>> entries;
    for (const MapLiteral::Entry& entry : map.entries) {
      TRY(Value key, Run(*entry.key));
      TRY(Value value, Run(*entry.value));
      if (entry.optional) {
        const Optional* optional = value.If<Optional>();
        if (optional == nullptr) return NoSuchOverload();
        if (!optional->value) continue;
        value = Value(*optional->value);
      }
      TRY(auto* const same, FindEntry(entries, key));
      if (same != nullptr) {
        same->second = std::move(value);
      } else {
        entries.emplace_back(std::move(key), std::move(value));
      }
    }
    return MakeMap(std::move(entries));
  }

  // Of two entries with one key the later one counts.
  static Result<std::pair<Value, Value>*> FindEntry(std::vector<std::pair<Value, Value>>& entries,
                                                    const Value& key) {
    for (auto& entry : entries) {
      TRY(const bool same, Equal(entry.first, key));
      if (same) return &entry;
    }
    return nullptr;
  }

  Result<Value> Visit(const Expr&, const OptionalMap& map) {
    CHECK_OK(budget_.Spend(1));
    TRY(const Value operand, Run(*map.operand));
    const Optional* optional = operand.If<Optional>();
    if (optional == nullptr) return NoSuchOverload();
    if (!optional->value) return NoValue();
    scopes_.emplace_back(map.name, *optional->value);
    auto result = Run(*map.result);
    scopes_.pop_back();
    if (!result || map.flat) return result;
    return MakeOptional(*std::move(result));
  }

  // One turn of a fold: the names it gives values to.
  struct Turn {
    Value first;
    Value second;
  };

  Result<std::vector<Turn>> TurnsOf(const Fold& fold, const Value& range) {
    std::vector<Turn> turns;
    const bool two = !fold.second_name.empty();
    if (range.kind() == Kind::kList) {
      const List& list = range.list();
      for (std::size_t i = 0; i < list.size(); ++i) {
        CHECK_OK(budget_.Spend(1));
        TRY(Value item, list.At(i));
        turns.push_back(two ? Turn{Value(static_cast<std::int64_t>(i)), std::move(item)}
                            : Turn{std::move(item), {}});
      }
      return turns;
    }
    if (range.kind() != Kind::kMap) return NoSuchOverload();
    for (const Value& key : range.map().Keys()) {
      CHECK_OK(budget_.Spend(1));
      Turn turn{.first = key, .second = {}};
      if (two) {
        TRY(auto value, range.map().Find(key));
        if (value) turn.second = *std::move(value);
      }
      turns.push_back(std::move(turn));
    }
    return turns;
  }

  // Evaluates with the names of the turn in scope.
  Result<Value> InTurn(const Fold& fold, const Turn& turn, const Expr& expr) {
    const std::size_t depth = scopes_.size();
    scopes_.emplace_back(fold.name, turn.first);
    if (!fold.second_name.empty()) scopes_.emplace_back(fold.second_name, turn.second);
    auto result = Run(expr);
    scopes_.resize(depth);
    return result;
  }

  Result<bool> Holds(const Fold& fold, const Turn& turn) {
    if (!fold.condition) return true;
    TRY(const Value value, InTurn(fold, turn, *fold.condition));
    const bool* truth = value.If<bool>();
    if (truth == nullptr) return NoSuchOverload();
    return *truth;
  }

  Result<Value> Visit(const Expr&, const Fold& fold) {
    TRY(const Value range, Run(*fold.range));
    TRY(const auto turns, TurnsOf(fold, range));
    switch (fold.kind) {
      case FoldKind::kAll: return Quantify(fold, turns, false);
      case FoldKind::kExists: return Quantify(fold, turns, true);
      case FoldKind::kExistsOne: return CountOne(fold, turns);
      case FoldKind::kMap:
      case FoldKind::kFilter: return Collect(fold, turns);
      case FoldKind::kSort: return SortBy(fold, turns);
      case FoldKind::kMapValues:
      case FoldKind::kMapEntries: return CollectMap(fold, turns);
    }
    return NoSuchOverload();
  }

  // Ends with the first turn that decides; an error counts only if none does.
  Result<Value> Quantify(const Fold& fold, const std::vector<Turn>& turns, bool decisive) {
    std::optional<Error> error;
    for (const Turn& turn : turns) {
      const auto holds = Holds(fold, turn);
      if (holds && *holds == decisive) return Value(decisive);
      if (holds) continue;
      if (budget_.exhausted()) return Failure(holds.error());
      if (!error) error = holds.error();
    }
    if (error) return Failure(*error);
    return Value(!decisive);
  }

  Result<Value> CountOne(const Fold& fold, const std::vector<Turn>& turns) {
    int count = 0;
    for (const Turn& turn : turns) {
      TRY(const bool holds, Holds(fold, turn));
      count += holds ? 1 : 0;
    }
    return Value(count == 1);
  }

  Result<Value> Collect(const Fold& fold, const std::vector<Turn>& turns) {
    CHECK_OK(budget_.Spend(kListCost));
    std::vector<Value> items;
    for (const Turn& turn : turns) {
      TRY(const bool holds, Holds(fold, turn));
      if (!holds) continue;
      CHECK_OK(budget_.Spend(1));
      if (fold.kind == FoldKind::kFilter) {
        items.push_back(turn.first);
        continue;
      }
      TRY(Value item, InTurn(fold, turn, *fold.result));
      items.push_back(std::move(item));
    }
    return MakeList(std::move(items));
  }

  Result<Value> SortBy(const Fold& fold, const std::vector<Turn>& turns) {
    CHECK_OK(budget_.Spend(kListCost));
    std::vector<Value> keys;
    std::vector<std::size_t> places;
    for (const Turn& turn : turns) {
      // Sorting looks at each item more than once.
      CHECK_OK(budget_.Spend(turns.size() / 10 + 1));
      TRY(Value key, InTurn(fold, turn, *fold.result));
      if (!keys.empty()) CHECK_OK(Compare(keys.front(), key));
      places.push_back(keys.size());
      keys.push_back(std::move(key));
    }
    std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
      const auto order = Compare(keys[a], keys[b]);
      return order && *order != 0 ? *order < 0 : a < b;
    });
    std::vector<Value> items;
    for (const std::size_t place : places) items.push_back(turns[place].first);
    return MakeList(std::move(items));
  }

  Result<Value> CollectMap(const Fold& fold, const std::vector<Turn>& turns) {
    CHECK_OK(budget_.Spend(kMapCost));
    std::vector<std::pair<Value, Value>> entries;
    for (const Turn& turn : turns) {
      TRY(const bool holds, Holds(fold, turn));
      if (!holds) continue;
      TRY(Value result, InTurn(fold, turn, *fold.result));
      if (fold.kind == FoldKind::kMapValues) {
        entries.emplace_back(turn.first, std::move(result));
      } else {
        if (result.kind() != Kind::kMap) return NoSuchOverload();
        for (const Value& key : result.map().Keys()) {
          TRY(auto value, result.map().Find(key));
          entries.emplace_back(key, value ? *std::move(value) : Value());
        }
      }
      // Keys are compared with each other in the end.
      CHECK_OK(budget_.Spend(entries.size() / 10 + 1));
    }
    return MakeMap(std::move(entries));
  }

  const Activation& variables_;
  Budget& budget_;
  std::vector<std::pair<std::string, Value>> scopes_;
};

}  // namespace

Result<Value> Evaluate(const Expr& expr, const Activation& variables, Budget& budget) {
  return Evaluator(variables, budget).Run(expr);
}

}  // namespace millwright::kube::cel
