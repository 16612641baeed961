#include "base/secret.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>

namespace millwright {
namespace {

// Nobody prints one by accident.
template <class T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(!Streamable<SecretText>);
static_assert(!std::is_convertible_v<SecretText, std::string_view>);

// Short enough to stand inside the string object itself: there, moving a string only copies it.
constexpr const char* kShort = "hunter2hunter2";

// The bytes of the place where a secret was.
template <class Use>
std::string WhatIsLeft(Use use) {
  alignas(SecretText) std::array<std::byte, sizeof(SecretText)> place{};
  auto* secret = new (place.data()) SecretText(kShort);
  use(*secret);
  secret->~SecretText();
  return {reinterpret_cast<const char*>(place.data()), place.size()};
}

TEST(SecretTextTest, NothingIsLeftBehind) {
  EXPECT_FALSE(WhatIsLeft([](SecretText&) {}).contains("hunter2"));
  SecretText taken;
  EXPECT_FALSE(WhatIsLeft([&](SecretText& s) { taken = std::move(s); }).contains("hunter2"));
  EXPECT_EQ(taken.Reveal(), kShort);
  EXPECT_FALSE(
      WhatIsLeft([](SecretText& s) { SecretText other(std::move(s)); }).contains("hunter2"));
  EXPECT_FALSE(WhatIsLeft([](SecretText& s) { s = SecretText("x"); }).contains("hunter2"));
}

TEST(SecretTextTest, IsAValue) {
  const SecretText a("a");
  SecretText b = a;
  EXPECT_EQ(a, b);
  b = SecretText("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(a.Reveal(), "a");
  b = a;
  EXPECT_EQ(a, b);
  const SecretText& same = b;
  b = same;
  EXPECT_EQ(b.Reveal(), "a");
  EXPECT_TRUE(SecretText().empty());
  EXPECT_FALSE(a.empty());
}

}  // namespace
}  // namespace millwright
