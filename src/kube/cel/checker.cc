#include "kube/cel/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "kube/cel/field_name.h"
#include "kube/cel/functions.h"
#include "kube/cel/regex_cache.h"
#include "kube/cel/text.h"
#include "kube/cel/times.h"

namespace millwright::kube::cel {

namespace {

const TypePtr& Dyn() { return SimpleType(Kind::kDyn); }
const TypePtr& Bool() { return SimpleType(Kind::kBool); }

// The names of types, which are values of the type "type".
const std::map<std::string, TypePtr, std::less<>>& TypeNames() {
  static const std::map<std::string, TypePtr, std::less<>> kNames = [] {
    std::map<std::string, TypePtr, std::less<>> names;
    for (const Kind kind : {Kind::kBool, Kind::kInt, Kind::kUint, Kind::kDouble, Kind::kString,
                            Kind::kBytes, Kind::kType, Kind::kDyn, Kind::kNull}) {
      names.emplace(NameOf(kind), TypeOf(SimpleType(kind)));
    }
    names.emplace("list", TypeOf(ListOf(Dyn())));
    names.emplace("map", TypeOf(MapOf(Dyn(), Dyn())));
    return names;
  }();
  return kNames;
}

// "google.protobuf.Duration" and the like are written as fields of fields.
std::string QualifiedName(const Expr& expr) {
  if (const Name* name = std::get_if<Name>(&expr.node)) return name->name;
  const Select* select = std::get_if<Select>(&expr.node);
  if (select == nullptr || select->optional || select->presence) return {};
  const std::string before = QualifiedName(*select->operand);
  return before.empty() ? before : before + "." + select->field;
}

// Functions whose last argument is a time zone.
bool IsTimePart(std::string_view function) {
  const auto* overloads = FindFunction(function);
  return function.starts_with("get") && overloads != nullptr &&
         std::ranges::any_of(*overloads, [](const Overload& overload) {
           return overload.parameters.size() == 2 &&
                  overload.parameters[0]->kind == Kind::kTimestamp;
         });
}

class Checker {
 public:
  Checker(const Variables& variables, std::vector<Issue>& issues)
      : variables_(variables), issues_(issues) {}

  TypePtr Run(const Expr& expr) {
    return std::visit([&](const auto& node) { return Visit(expr, node); }, expr.node);
  }

  // What is no wrong type, and of interest only where there are no wrong types.
  std::vector<Issue> late;
  std::set<std::string> used;
  std::string unsupported;

 private:
  TypePtr Complain(int offset, std::string message) {
    issues_.push_back({.offset = offset, .message = std::move(message)});
    return Dyn();
  }

  TypePtr ComplainLate(int offset, std::string message) {
    late.push_back({.offset = offset, .message = std::move(message)});
    return Dyn();
  }

  TypePtr Visit(const Expr&, const Literal& literal) { return SimpleType(literal.value.kind()); }

  TypePtr Visit(const Expr& expr, const Name& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->first == name.name) return scope->second;
    }
    if (const auto found = variables_.find(name.name); found != variables_.end()) {
      used.insert(name.name);
      return found->second;
    }
    if (const auto type = TypeNames().find(name.name); type != TypeNames().end()) {
      return type->second;
    }
    return Complain(expr.offset,
                    fmt::format("undeclared reference to '{}' (in container '')", name.name));
  }

  TypePtr Visit(const Expr& expr, const Select& select) {
    const std::string name = QualifiedName(expr);
    if (name == NameOf(Kind::kDuration)) return TypeOf(SimpleType(Kind::kDuration));
    if (name == NameOf(Kind::kTimestamp)) return TypeOf(SimpleType(Kind::kTimestamp));
    const TypePtr operand = Run(*select.operand);
    const bool wrapped = operand->kind == Kind::kOptional;
    const TypePtr inside = wrapped ? operand->params[0] : operand;
    const TypePtr field = FieldOf(expr, select, inside);
    if (select.presence) return Bool();
    if (!wrapped && !select.optional) return field;
    return field->kind == Kind::kOptional ? field : OptionalOf(field);
  }

  TypePtr FieldOf(const Expr& expr, const Select& select, const TypePtr& operand) {
    switch (operand->kind) {
      case Kind::kDyn: return Dyn();
      case Kind::kMap: {
        if (!IsAssignable(operand->params[0], SimpleType(Kind::kString))) break;
        return operand->params[1];
      }
      case Kind::kObject: {
        auto found = operand->fields.find(select.field);
        // Behind a dot even a reserved word is a name.
        if (found == operand->fields.end()) {
          found = operand->fields.find(EscapeField(select.field).value_or(""));
        }
        if (found != operand->fields.end()) return found->second;
        return Complain(expr.offset, fmt::format("undefined field '{}'", select.field));
      }
      case Kind::kNull:
      case Kind::kBool:
      case Kind::kInt:
      case Kind::kUint:
      case Kind::kDouble:
      case Kind::kString:
      case Kind::kBytes:
      case Kind::kList:
      case Kind::kDuration:
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
      case Kind::kParam: break;
    }
    return Complain(expr.offset,
                    fmt::format("type '{}' does not support field selection", ToString(*operand)));
  }

  TypePtr Visit(const Expr& expr, const Call& call) {
    std::vector<TypePtr> arguments;
    // What a text is made of may be of many types.
    const bool mixes = call.member && call.function == "format";
    mixing_ += mixes ? 1 : 0;
    for (const ExprPtr& argument : call.arguments) arguments.push_back(Run(*argument));
    mixing_ -= mixes ? 1 : 0;
    if (call.function == "_?_:_") return CheckChoice(expr, call, arguments);
    if (call.function == "_&&_" || call.function == "_||_") {
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        Expect(*call.arguments[i], Bool(), arguments[i]);
      }
      return Bool();
    }
    const auto* overloads = FindFunction(call.function);
    if (overloads == nullptr) {
      return Complain(expr.offset,
                      fmt::format("undeclared reference to '{}' (in container '')", call.function));
    }
    CheckLiterals(call);
    return Resolve(expr, call, *overloads, arguments);
  }

  TypePtr Resolve(const Expr& expr, const Call& call, const std::vector<Overload>& overloads,
                  const std::vector<TypePtr>& arguments) {
    TypePtr result;
    for (const Overload& overload : overloads) {
      if (overload.member != call.member || overload.parameters.size() != arguments.size()) {
        continue;
      }
      Bindings bindings;
      bool fits = true;
      for (std::size_t i = 0; i < arguments.size() && fits; ++i) {
        fits = IsAssignable(overload.parameters[i], arguments[i], bindings);
      }
      if (!fits) continue;
      const TypePtr found = Substitute(overload.result, bindings);
      if (!result) {
        result = found;
      } else if (ToString(*result) != ToString(*found)) {
        result = Dyn();
      }
    }
    if (result) return result;
    return Complain(expr.offset, fmt::format("found no matching overload for '{}' applied to '{}'",
                                             call.function, Signature(call, arguments)));
  }

  static std::string Signature(const Call& call, const std::vector<TypePtr>& arguments) {
    std::string text;
    for (std::size_t i = call.member ? 1 : 0; i < arguments.size(); ++i) {
      text += (text.empty() ? "" : ", ") + ToString(*arguments[i]);
    }
    return call.member ? fmt::format("{}.({})", ToString(*arguments[0]), text)
                       : fmt::format("({})", text);
  }

  TypePtr CheckChoice(const Expr& expr, const Call& call, const std::vector<TypePtr>& arguments) {
    Expect(*call.arguments[0], Bool(), arguments[0]);
    TypePtr common = Common(arguments[1], arguments[2]);
    if (common) return common;
    return Complain(expr.offset, fmt::format("found no matching overload for '_?_:_' applied to "
                                             "'{}'",
                                             Signature(call, arguments)));
  }

  void Expect(const Expr& expr, const TypePtr& wanted, const TypePtr& given) {
    if (IsAssignable(wanted, given)) return;
    Complain(expr.offset,
             fmt::format("expected type '{}' but found '{}'", ToString(*wanted), ToString(*given)));
  }

  // Texts that are written in the expression can be looked at now.
  void CheckLiterals(const Call& call) {
    if (call.arguments.empty()) return;
    const Expr& last = *call.arguments.back();
    const Literal* literal = std::get_if<Literal>(&last.node);
    const std::string* text = literal == nullptr ? nullptr : literal->value.If<std::string>();
    if (text == nullptr) return;
    if (call.function == "matches" && call.arguments.size() == 2 && !CompileRegex(*text)) {
      ComplainLate(last.offset, "invalid matches argument");
    }
    if (call.member && call.arguments.size() == 2 && IsTimePart(call.function) &&
        !FindOffset(*text)) {
      unsupported = fmt::format("the time zone {} is not known here", *text);
    }
    const bool single = call.arguments.size() == 1 && !call.member;
    const Value arguments[] = {literal->value};
    Budget budget(1'000'000);
    for (const char* function : {"duration", "timestamp"}) {
      if (!single || call.function != function) continue;
      if (!Invoke(*FindFunction(function), false, arguments, budget)) {
        ComplainLate(last.offset, fmt::format("invalid {} argument", function));
      }
    }
  }

  TypePtr Visit(const Expr&, const ListLiteral& list) {
    TypePtr item;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      TypePtr next = Run(*list.items[i]);
      if (list.optional[i]) {
        if (next->kind != Kind::kOptional && next->kind != Kind::kDyn) {
          Complain(list.items[i]->offset, fmt::format("expected type 'optional_type({0})' but "
                                                      "found '{0}'",
                                                      ToString(*next)));
        }
        next = next->kind == Kind::kOptional ? next->params[0] : Dyn();
      }
      item = Joined(*list.items[i], item, next);
    }
    return ListOf(item ? item : Dyn());
  }

  // Literals hold values of one type, unless that is not known.
  TypePtr Joined(const Expr& expr, const TypePtr& before, const TypePtr& next) {
    if (!before) return next;
    TypePtr common = Common(before, next);
    if (common) return common;
    if (mixing_ > 0) return Dyn();
    return ComplainLate(expr.offset, fmt::format("expected type '{}' but found '{}'",
                                                 ToString(*before), ToString(*next)));
  }

  TypePtr Visit(const Expr&, const MapLiteral& map) {
    TypePtr key;
    TypePtr value;
    for (const MapLiteral::Entry& entry : map.entries) {
      key = Joined(*entry.key, key, Run(*entry.key));
      TypePtr next = Run(*entry.value);
      if (entry.optional) next = next->kind == Kind::kOptional ? next->params[0] : Dyn();
      value = Joined(*entry.value, value, next);
    }
    return MapOf(key ? key : Dyn(), value ? value : Dyn());
  }

  TypePtr Visit(const Expr& expr, const Fold& fold) {
    const TypePtr range = Run(*fold.range);
    TypePtr first = Dyn();
    TypePtr second = Dyn();
    const bool two = !fold.second_name.empty();
    if (range->kind == Kind::kList) {
      first = two ? SimpleType(Kind::kInt) : range->params[0];
      second = range->params[0];
    } else if (range->kind == Kind::kMap) {
      first = range->params[0];
      second = range->params[1];
    } else if (range->kind != Kind::kDyn) {
      Complain(fold.range->offset,
               fmt::format("expression of type '{}' cannot be range of a comprehension (must be "
                           "list, map, or dynamic)",
                           ToString(*range)));
    }
    scopes_.emplace_back(fold.name, first);
    if (two) scopes_.emplace_back(fold.second_name, second);
    if (fold.condition) Expect(*fold.condition, Bool(), Run(*fold.condition));
    const TypePtr result = fold.result ? Run(*fold.result) : nullptr;
    scopes_.resize(scopes_.size() - (two ? 2 : 1));
    return FoldType(expr, fold, range, first, result);
  }

  TypePtr FoldType(const Expr& expr, const Fold& fold, const TypePtr& range, const TypePtr& first,
                   const TypePtr& result) {
    switch (fold.kind) {
      case FoldKind::kAll:
      case FoldKind::kExists:
      case FoldKind::kExistsOne: return Bool();
      case FoldKind::kFilter:
        // Of a map, the keys stay.
        return ListOf(range->kind == Kind::kMap ? range->params[0] : first);
      case FoldKind::kMap: return ListOf(result);
      case FoldKind::kSort: return ListOf(first);
      case FoldKind::kMapValues: return MapOf(first, result);
      case FoldKind::kMapEntries: {
        if (result->kind == Kind::kMap || result->kind == Kind::kDyn) return result;
        return Complain(expr.offset,
                        fmt::format("expected type 'map' but found '{}'", ToString(*result)));
      }
    }
    return Dyn();
  }

  TypePtr Visit(const Expr& expr, const OptionalMap& map) {
    const TypePtr operand = Run(*map.operand);
    if (operand->kind != Kind::kOptional && operand->kind != Kind::kDyn) {
      return Complain(expr.offset,
                      fmt::format("found no matching overload for 'hasValue' applied to '{}.()'",
                                  ToString(*operand)));
    }
    scopes_.emplace_back(map.name, operand->kind == Kind::kOptional ? operand->params[0] : Dyn());
    const TypePtr result = Run(*map.result);
    scopes_.pop_back();
    if (!map.flat) return OptionalOf(result);
    if (result->kind == Kind::kOptional || result->kind == Kind::kDyn) return result;
    return Complain(expr.offset, fmt::format("expected type 'optional_type({0})' but found '{0}'",
                                             ToString(*result)));
  }

  const Variables& variables_;
  std::vector<Issue>& issues_;
  std::vector<std::pair<std::string, TypePtr>> scopes_;
  int mixing_ = 0;  // how many calls are around that take lists of many types
};

}  // namespace

Checked Check(const Expr& expr, const Variables& variables, std::vector<Issue>& issues) {
  Checker checker(variables, issues);
  TypePtr type = checker.Run(expr);
  if (issues.empty()) issues = std::move(checker.late);
  return {.type = std::move(type),
          .used = std::move(checker.used),
          .unsupported = std::move(checker.unsupported)};
}

}  // namespace millwright::kube::cel
