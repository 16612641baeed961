// An expression as a tree.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kube/cel/value.h"

namespace millwright::kube::cel {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Literal {
  Value value;
};

struct Name {
  std::string name;
};

// a.b; a.?b; has(a.b)
struct Select {
  ExprPtr operand;
  std::string field;
  bool optional = false;
  bool presence = false;
};

// Operators are functions too: "_+_". The target of a member function is its first argument.
struct Call {
  std::string function;
  bool member = false;
  std::vector<ExprPtr> arguments;
};

struct ListLiteral {
  std::vector<ExprPtr> items;
  std::vector<bool> optional;  // [?a]
};

struct MapLiteral {
  struct Entry {
    ExprPtr key;
    ExprPtr value;
    bool optional = false;
  };
  std::vector<Entry> entries;
};

// The macros that go over a list or a map.
enum class FoldKind { kAll, kExists, kExistsOne, kMap, kFilter, kSort, kMapValues, kMapEntries };

struct Fold {
  FoldKind kind = FoldKind::kAll;
  ExprPtr range;
  std::string name;         // the item, or the index or key if there are two
  std::string second_name;  // the item or value; may be empty
  ExprPtr condition;        // null: true
  ExprPtr result;           // of kMap, kMapValues and kMapEntries; of kSort, what to sort by
};

// a.optMap(x, f): f where there is a value.
struct OptionalMap {
  ExprPtr operand;
  std::string name;
  ExprPtr result;
  bool flat = false;  // the result is an optional itself
};

struct Expr {
  int offset = 0;  // in characters, from the beginning of the text
  std::variant<Literal, Name, Select, Call, ListLiteral, MapLiteral, Fold, OptionalMap> node;
};

}  // namespace millwright::kube::cel
