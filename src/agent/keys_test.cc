#include "agent/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::agent {
namespace {

using testing::StartsWith;

TEST(KeysTest, TheSameKeyAsksUnderTheSameName) {
  const SecretText key = MakePrivateKey();
  const auto first = MakeSigningRequest(key, "n");
  const auto again = MakeSigningRequest(key, "n");
  ASSERT_TRUE(first && again);
  EXPECT_THAT(first->name, StartsWith("node-csr-"));
  EXPECT_THAT(first->pem, StartsWith("-----BEGIN CERTIFICATE REQUEST-----"));
  EXPECT_EQ(first->name, again->name);
  EXPECT_NE(MakeSigningRequest(key, "other")->name, first->name);
  EXPECT_NE(MakeSigningRequest(MakePrivateKey(), "n")->name, first->name);
}

TEST(KeysTest, WhatIsNoneIsRefused) {
  EXPECT_FALSE(MakeSigningRequest(SecretText("no key"), "n"));
  EXPECT_FALSE(ValidityOf("no certificate", MakePrivateKey()));
  // A common name has room for 64 characters.
  EXPECT_FALSE(MakeSigningRequest(MakePrivateKey(), std::string(100, 'n')));
}

}  // namespace
}  // namespace millwright::agent
