#include "kube/cel/macros.h"

#include <optional>

namespace millwright::kube::cel {

namespace {

template <class Node>
ExprPtr Make(int offset, Node node) {
  return std::make_shared<const Expr>(Expr{.offset = offset, .node = std::move(node)});
}

// What the arguments of a macro mean, by their number.
struct Shape {
  std::string_view function;
  std::size_t arguments;
  FoldKind kind;
  bool two_names = false;
  bool has_condition = false;  // a condition before the result
};

constexpr Shape kShapes[] = {
    {"all", 2, FoldKind::kAll},
    {"all", 3, FoldKind::kAll, true},
    {"exists", 2, FoldKind::kExists},
    {"exists", 3, FoldKind::kExists, true},
    {"exists_one", 2, FoldKind::kExistsOne},
    {"exists_one", 3, FoldKind::kExistsOne, true},
    {"existsOne", 2, FoldKind::kExistsOne},
    {"existsOne", 3, FoldKind::kExistsOne, true},
    {"filter", 2, FoldKind::kFilter},
    {"sortBy", 2, FoldKind::kSort},
    {"map", 2, FoldKind::kMap},
    {"map", 3, FoldKind::kMap, false, true},
    {"transformList", 3, FoldKind::kMap, true},
    {"transformList", 4, FoldKind::kMap, true, true},
    {"transformMap", 3, FoldKind::kMapValues, true},
    {"transformMap", 4, FoldKind::kMapValues, true, true},
    {"transformMapEntry", 3, FoldKind::kMapEntries, true},
    {"transformMapEntry", 4, FoldKind::kMapEntries, true, true},
};

bool IsTest(FoldKind kind) {
  return kind == FoldKind::kAll || kind == FoldKind::kExists || kind == FoldKind::kExistsOne ||
         kind == FoldKind::kFilter;
}

// The name that an argument declares; none if it is something else.
std::optional<std::string> NameIn(const ExprPtr& argument, std::vector<Issue>& issues) {
  if (const Name* name = std::get_if<Name>(&argument->node)) return name->name;
  issues.push_back({.offset = argument->offset, .message = "argument must be a simple name"});
  return std::nullopt;
}

ExprPtr ExpandFold(const CallText& call, const Shape& shape, std::vector<Issue>& issues) {
  Fold fold{.kind = shape.kind,
            .range = call.target,
            .name = {},
            .second_name = {},
            .condition = nullptr,
            .result = nullptr};
  std::size_t next = 0;
  const auto first = NameIn(call.arguments[next++], issues);
  if (!first) return nullptr;
  fold.name = *first;
  if (shape.two_names) {
    const auto second = NameIn(call.arguments[next], issues);
    if (!second) return nullptr;
    if (*second == fold.name) {
      issues.push_back({.offset = call.arguments[next]->offset,
                        .message = "duplicate variable name: " + *second});
      return nullptr;
    }
    ++next;
    fold.second_name = *second;
  }
  if (IsTest(shape.kind) || shape.has_condition) fold.condition = call.arguments[next++];
  if (!IsTest(shape.kind)) fold.result = call.arguments[next];
  return Make(call.offset, std::move(fold));
}

ExprPtr ExpandHas(const CallText& call, std::vector<Issue>& issues) {
  const Expr& argument = *call.arguments[0];
  const Select* select = std::get_if<Select>(&argument.node);
  if (select == nullptr || select->optional || select->presence) {
    issues.push_back({.offset = argument.offset, .message = "invalid argument to has() macro"});
    return nullptr;
  }
  Select test = *select;
  test.presence = true;
  return Make(call.offset, std::move(test));
}

ExprPtr ExpandOptional(const CallText& call, std::vector<Issue>& issues) {
  const auto name = NameIn(call.arguments[0], issues);
  if (!name) return nullptr;
  return Make(call.offset, OptionalMap{.operand = call.target,
                                       .name = *name,
                                       .result = call.arguments[1],
                                       .flat = call.function == "optFlatMap"});
}

}  // namespace

ExprPtr ExpandMacro(const CallText& call, std::vector<Issue>& issues) {
  if (!call.target) {
    const bool has = call.function == "has" && call.arguments.size() == 1;
    return has ? ExpandHas(call, issues) : nullptr;
  }
  for (const Shape& shape : kShapes) {
    if (shape.function == call.function && shape.arguments == call.arguments.size()) {
      return ExpandFold(call, shape, issues);
    }
  }
  const bool optional = call.function == "optMap" || call.function == "optFlatMap";
  if (optional && call.arguments.size() == 2) return ExpandOptional(call, issues);
  return nullptr;
}

}  // namespace millwright::kube::cel
