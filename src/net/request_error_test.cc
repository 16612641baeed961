#include "net/request_error.h"

#include <gtest/gtest.h>

namespace millwright::net {
namespace {

TEST(RequestError, TimeoutIsInDoubtOnlyForAWriteThatWasSent) {
  EXPECT_EQ(TimeoutError(true, "GET", "").kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(TimeoutError(true, "POST", "").kind(), ErrorKind::kInDoubt);
  EXPECT_EQ(TimeoutError(false, "POST", "").kind(), ErrorKind::kUnavailable);
}

TEST(RequestError, AddressIsShownWithoutSecrets) {
  EXPECT_EQ(ShownUrl("https://h:1/a/b?token=x#y"), "https://h:1/a/b");
  EXPECT_EQ(ShownUrl("https://user:pass@h:1/a@b"), "https://h:1/a@b");
  EXPECT_EQ(ShownUrl("https://user:p@ss@h"), "https://h");
  EXPECT_EQ(ShownUrl("/a?b"), "/a");
}

}  // namespace
}  // namespace millwright::net
