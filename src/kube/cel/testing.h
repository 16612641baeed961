// For tests: expressions and the values they should have.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kube/cel/program.h"
#include "kube/cel/text.h"

namespace millwright::kube::cel {

inline constexpr std::uint64_t kBudget = 1'000'000;

// A value as CEL would write it, as far as tests need it.
inline std::string Written(const Value& value) {
  if (value.kind() == Kind::kString) return "'" + value.text() + "'";
  if (value.kind() == Kind::kUint) return Shown(value) + "u";
  if (value.kind() == Kind::kList) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.list().size(); ++i) {
      text += (i == 0 ? "" : ", ") + Written(*value.list().At(i));
    }
    return text + "]";
  }
  if (value.kind() == Kind::kMap) {
    std::string text = "{";
    for (const Value& key : value.map().Keys()) {
      text +=
          (text.size() == 1 ? "" : ", ") + Written(key) + ": " + Written(**value.map().Find(key));
    }
    return text + "}";
  }
  if (const Optional* optional = value.If<Optional>()) {
    return optional->value ? "optional(" + Written(*optional->value) + ")" : "none";
  }
  return Shown(value);
}

inline const Variables& Names() {
  static const Variables kNames = {{"x", SimpleType(Kind::kDyn)},
                                   {"names", ListOf(SimpleType(Kind::kString))}};
  return kNames;
}

// The value, "error: ..." if it fails, or "issue: ..." with the first line of what is wrong.
inline std::string Eval(std::string_view source) {
  const auto program = Program::Compile(source, Names());
  if (!program) {
    const std::string& text = program.error().message();
    return "issue: " + text.substr(0, text.find('\n'));
  }
  Budget budget(kBudget);
  const auto value =
      program->Run({{"x", Value(std::int64_t{7})},
                    {"names", MakeList({Value(std::string("b")), Value(std::string("a"))})}},
                   budget);
  return value ? Written(*value) : "error: " + value.error().message();
}

struct Case {
  std::string_view source;
  std::string_view value;
};

inline void Expect(std::span<const Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(Eval(one.source), one.value) << one.source;
}

}  // namespace millwright::kube::cel
