#include "apiserver/auth/pki/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using testing::HasSubstr;

TEST(KubeconfigTest, HasEverythingInside) {
  const auto text = KubeconfigFor("https://[::1]:6443", "ca",
                                  {.certificate = "certificate", .key = SecretText("key")});
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("current-context: millwright\n"));
  EXPECT_THAT(*text, HasSubstr("server: \"https://[::1]:6443\"\n"));
  EXPECT_THAT(*text, HasSubstr("certificate-authority-data: Y2E=\n"));
  EXPECT_THAT(*text, HasSubstr("client-certificate-data: Y2VydGlmaWNhdGU=\n"));
  EXPECT_THAT(*text, HasSubstr("client-key-data: a2V5\n"));
}

TEST(KubeconfigTest, RefusesWhatIsNoAddress) {
  for (const char* url : {"", "https://", "http://a:1", "a:1", "https://a\"b", "https://a b"}) {
    EXPECT_FALSE(KubeconfigFor(url, "", {})) << url;
  }
}

}  // namespace
}  // namespace millwright::apiserver
