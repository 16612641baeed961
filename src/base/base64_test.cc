#include "base/base64.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

namespace millwright {
namespace {

TEST(Base64, EncodesAsTheStandardSays) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(EncodeBase64("\xFB\xFF"), "+/8=");
}

TEST(Base64, SkipsLineBreaks) { EXPECT_EQ(DecodeBase64("Zm9v\r\nYmFy\n"), "foobar"); }

TEST(Base64, RefusesWhatIsNot) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zg==Zg==", "Zm 9v", "Zm9v*", "Zg=a", "_-8="}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
  }
}

TEST(Base64, GivesBackAllBytes) {
  EXPECT_TRUE(rc::check("decode(encode(x)) == x", [](const std::string& bytes) {
    RC_ASSERT(DecodeBase64(EncodeBase64(bytes)).value() == bytes);
  }));
}

}  // namespace
}  // namespace millwright
