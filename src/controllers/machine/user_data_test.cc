#include "controllers/machine/user_data.h"

#include <gtest/gtest.h>

namespace millwright::controllers {
namespace {

std::string Filled(std::string text, std::optional<SecretText> token = SecretText("ab.cd/e")) {
  return FillUserData(SecretText(std::move(text)), {.machine = "m-1", .token = std::move(token)})
      .Reveal();
}

TEST(UserData, Gardener_13_041_EveryPlaceIsFilled) {
  EXPECT_EQ(Filled("a <<BOOTSTRAP_TOKEN>> b <<MACHINE_NAME>> <<MACHINE_NAME>>"),
            "a ab.cd/e b m-1 m-1");
}

TEST(UserData, TheFormInUrlsIsFilledWhereThePlainOneDoesNotOccur) {
  EXPECT_EQ(Filled("%3C%3CBOOTSTRAP_TOKEN%3E%3E"), "ab.cd%2Fe");
  EXPECT_EQ(Filled("<<BOOTSTRAP_TOKEN>> %3C%3CBOOTSTRAP_TOKEN%3E%3E"),
            "ab.cd/e %3C%3CBOOTSTRAP_TOKEN%3E%3E");
}

TEST(UserData, Gardener_13_041_WithoutAClusterTheTokensPlaceStays) {
  EXPECT_EQ(Filled("<<BOOTSTRAP_TOKEN>> <<MACHINE_NAME>>", std::nullopt),
            "<<BOOTSTRAP_TOKEN>> m-1");
}

TEST(UserData, Gardener_13_040_TextWithoutPlacesIsTheSame) {
  EXPECT_EQ(Filled("x<<y>>"), "x<<y>>");
}

}  // namespace
}  // namespace millwright::controllers
