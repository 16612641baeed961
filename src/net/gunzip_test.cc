#include "net/gunzip.h"

#include <gtest/gtest.h>

#include "net/testing/gzip.h"

namespace millwright::net {
namespace {

std::string Numbers(std::size_t size) {
  std::string text;
  for (int i = 0; text.size() < size; ++i) text += std::to_string(i * 7919) + ",";
  return text;
}

TEST(Gunzip, TakesPiecesOfAnySize) {
  const std::string plain = Numbers(300'000);
  const std::string coded = Gzip(plain);
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, coded.size()}) {
    Gunzip gunzip;
    EXPECT_TRUE(gunzip.at_end());
    std::string out;
    for (std::size_t from = 0; from < coded.size(); from += step) {
      const auto piece = std::string_view(coded).substr(from, step);
      ASSERT_EQ(gunzip.Add(piece, out, plain.size() + 1), piece.size());
      EXPECT_EQ(gunzip.at_end(), from + step >= coded.size());
    }
    EXPECT_TRUE(out == plain);
  }
}

TEST(Gunzip, StopsAtTheLimitAndGoesOn) {
  const std::string plain(1'000'000, 'x');
  const std::string coded = Gzip(plain);
  std::string_view rest = coded;
  Gunzip gunzip;
  std::string all;
  while (!rest.empty() || gunzip.has_more()) {
    std::string out;
    const auto used = gunzip.Add(rest, out, 1000);
    ASSERT_TRUE(used);
    ASSERT_LE(out.size(), 1000U);
    rest.remove_prefix(*used);
    all += out;
  }
  EXPECT_TRUE(gunzip.at_end());
  EXPECT_TRUE(all == plain);
}

TEST(Gunzip, TakesSeveralMembers) {
  const std::string coded = Gzip("one ") + Gzip("two");
  Gunzip gunzip;
  std::string out;
  EXPECT_EQ(gunzip.Add(coded, out, 100), coded.size());
  EXPECT_EQ(out, "one two");
}

TEST(Gunzip, FindsDamage) {
  std::string coded = Gzip(Numbers(1000));
  coded[coded.size() / 2] ^= 0x55;
  for (const std::string& bad : {coded, std::string("plain text"), Gzip("a") + "rest"}) {
    Gunzip gunzip;
    std::string out;
    EXPECT_FALSE(gunzip.Add(bad, out, 100'000));
  }
}

TEST(Gunzip, KnowsThatMoreIsToCome) {
  const std::string coded = Gzip("text");
  Gunzip gunzip;
  std::string out;
  ASSERT_TRUE(gunzip.Add(std::string_view(coded).substr(0, coded.size() - 1), out, 100));
  EXPECT_FALSE(gunzip.at_end());
}

}  // namespace
}  // namespace millwright::net
