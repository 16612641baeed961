#include "apiserver/auth/authn/jwt.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/auth/authn/base64url.h"
#include "apiserver/auth/authn/es256.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

class JwtTest : public testing::Test {
 protected:
  // With a good signature, whatever the header says.
  std::string Signed(const json::object& header) const {
    const std::string text =
        EncodeBase64Url(json::serialize(header)) + "." + EncodeBase64Url(R"({"sub":"a"})");
    return text + "." + EncodeBase64Url(SignEs256(text, key_));
  }
  bool Holds(const std::string& token) const {
    const auto jwt = ParseJwt(token);
    return jwt && IsSignedBy(*jwt, key_);
  }

  const PrivateKey key_ = PrivateKey::Generate();
};

TEST_F(JwtTest, HoldsWhatWasSigned) {
  const std::string token = SignJwt({{"sub", "a"}}, key_);
  const auto jwt = ParseJwt(token);
  ASSERT_TRUE(jwt);
  EXPECT_EQ(kube::GetString(jwt->claims, "sub"), "a");
  EXPECT_EQ(kube::GetString(jwt->header, "alg"), "ES256");
  EXPECT_EQ(jwt->signature.size(), 64u);
  EXPECT_TRUE(IsSignedBy(*jwt, key_));
  EXPECT_FALSE(IsSignedBy(*jwt, PrivateKey::Generate()));
}

TEST_F(JwtTest, FailsWhenAnyByteChanges) {
  const std::string token = SignJwt({{"sub", "a"}}, key_);
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(Holds(changed)) << i;
  }
}

TEST_F(JwtTest, BelievesNoOtherHeader) {
  EXPECT_TRUE(Holds(Signed({{"alg", "ES256"}})));
  EXPECT_TRUE(Holds(Signed({{"alg", "ES256"}, {"kid", KeyIdOf(key_)}, {"typ", "JWT"}})));
  EXPECT_FALSE(Holds(Signed({{"alg", "none"}})));
  EXPECT_FALSE(Holds(Signed({{"alg", "HS256"}})));
  EXPECT_FALSE(Holds(Signed({{"alg", json::array{"ES256"}}})));
  EXPECT_FALSE(Holds(Signed({{"alg", "ES256"}, {"kid", "other"}})));
  EXPECT_FALSE(Holds(Signed({{"alg", "ES256"}, {"kid", nullptr}})));
  EXPECT_FALSE(Holds(Signed({{"alg", "ES256"}, {"crit", json::array{"exp"}}})));
  EXPECT_FALSE(Holds(Signed({})));
}

TEST_F(JwtTest, IsThreePartsOfTwoObjects) {
  const std::string object = EncodeBase64Url("{}");
  for (const std::string& text :
       {std::string(), std::string("."), std::string(".."), std::string("a.b.c"), object,
        object + "." + object, object + "." + object + ".a.b",
        object + "." + EncodeBase64Url("[]") + ".", object + ".{}.",
        " " + object + "." + object + ".",
        object + "." + EncodeBase64Url(std::string(100, '[')) + ".", std::string(100000, 'a')}) {
    EXPECT_FALSE(ParseJwt(text)) << text;
  }
  EXPECT_TRUE(ParseJwt(object + "." + object + "."));
}

TEST_F(JwtTest, RefusesSignaturesOfAnotherSize) {
  for (const std::size_t size : {0, 1, 63, 65, 128}) {
    EXPECT_FALSE(VerifyEs256("a", std::string(size, 'x'), key_));
  }
  EXPECT_FALSE(VerifyEs256("a", std::string(64, '\0'), key_));
  EXPECT_TRUE(VerifyEs256("a", SignEs256("a", key_), key_));
}

}  // namespace
}  // namespace millwright::apiserver
