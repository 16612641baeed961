// The functions and operators: what they take, what they give, and how.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kube/cel/type.h"
#include "kube/cel/value.h"

namespace millwright::kube::cel {

// Bounds how much work an expression may be. Every step and every character costs something.
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : limit_(limit) {}

  Result<void> Spend(std::uint64_t cost) {
    spent_ += cost;
    if (spent_ <= limit_ && spent_ >= cost) return Ok();
    return Wrong("operation cancelled: actual cost limit exceeded");
  }
  // For going through a text or list of that size.
  Result<void> SpendOn(std::size_t size) { return Spend(size / 10 + 1); }

  std::uint64_t spent() const { return spent_; }
  bool exhausted() const { return spent_ > limit_; }

 private:
  std::uint64_t limit_;
  std::uint64_t spent_ = 0;
};

using Arguments = std::span<const Value>;
using Body = Result<Value> (*)(Arguments arguments, Budget& budget);

// One way to call a function, written as "string.startsWith(string) -> bool" or "size(list<A>) ->
// int". A and B stand for any type, for the same one wherever they occur.
struct Declaration {
  std::string_view signature;
  Body body;
};

struct Overload {
  bool member = false;
  std::vector<TypePtr> parameters;  // the target first
  TypePtr result;
  Body body = nullptr;
};

// Null if there is no function of that name.
const std::vector<Overload>* FindFunction(std::string_view name);
bool IsFunction(std::string_view name);

// Calls the overload that fits the arguments; what fits none is "no such overload".
Result<Value> Invoke(const std::vector<Overload>& overloads, bool member, Arguments arguments,
                     Budget& budget);

// The libraries, each in its file.
std::span<const Declaration> OperatorDeclarations();
std::span<const Declaration> ConversionDeclarations();
std::span<const Declaration> TextDeclarations();
std::span<const Declaration> ListDeclarations();
std::span<const Declaration> TimeDeclarations();
std::span<const Declaration> OptionalDeclarations();
std::span<const Declaration> QuantityDeclarations();
std::span<const Declaration> UrlDeclarations();
std::span<const Declaration> NetDeclarations();
std::span<const Declaration> SemverDeclarations();
std::span<const Declaration> FormatDeclarations();

}  // namespace millwright::kube::cel
