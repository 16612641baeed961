#include "apiserver/auth/authn/base64url.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

TEST(Base64UrlTest, WritesAndReads) {
  const struct {
    std::string bytes;
    std::string text;
  } cases[] = {{"", ""},           {"f", "Zg"},        {"fo", "Zm8"},
               {"foo", "Zm9v"},    {"foob", "Zm9vYg"}, {"\xff\xef\xbe", "_---"},
               {"\xfb\xf0", "-_A"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(EncodeBase64Url(bytes), text);
    EXPECT_EQ(DecodeBase64Url(text), bytes);
  }
}

TEST(Base64UrlTest, RefusesAnythingElse) {
  for (const char* text : {"Z", "Zh", "Zg==", "Zm9v\n", "Zm+v", "Zm/v", "Zm9vY"}) {
    EXPECT_FALSE(DecodeBase64Url(text)) << text;
  }
}

}  // namespace
}  // namespace millwright::apiserver
