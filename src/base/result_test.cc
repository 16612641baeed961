#include "base/result.h"

#include <gtest/gtest.h>

#include <set>

namespace millwright {
namespace {

using namespace std::chrono_literals;

Result<int> Half(int number) {
  if (number % 2 != 0) return Fail(ErrorKind::kInvalid, "odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  TRY(const int half, Half(number));
  return Half(half);
}

Result<void> CheckQuarter(int number) {
  CHECK_OK(Quarter(number));
  return {};
}

TEST(ResultTest, TryKeepsTheValueOrReturnsTheFailure) {
  EXPECT_EQ(Quarter(12), 3);
  EXPECT_EQ(Quarter(6).error().message(), "odd");
  EXPECT_TRUE(CheckQuarter(4));
  EXPECT_EQ(CheckQuarter(5).error().kind(), ErrorKind::kInvalid);
}

Result<std::unique_ptr<int>> MakeOne() { return std::make_unique<int>(1); }

Result<int> TakeOne() {
  TRY(const std::unique_ptr<int> one, MakeOne());
  return *one;
}

TEST(ResultTest, TryMovesWhatCannotBeCopied) { EXPECT_EQ(TakeOne(), 1); }

struct SomeDetail : ErrorDetail {
  int number = 7;
};
struct OtherDetail : ErrorDetail {};

TEST(ErrorTest, WrappingAddsWhatWeDidAndKeepsTheRest) {
  const Error error = Error(ErrorKind::kThrottled, "503")
                          .WithRetryAfter(3s)
                          .WithDetail(std::make_shared<SomeDetail>())
                          .Wrap("POST /servers")
                          .Wrap("creating server");
  EXPECT_EQ(error.message(), "creating server: POST /servers: 503");
  EXPECT_EQ(error.kind(), ErrorKind::kThrottled);
  EXPECT_EQ(error.retry_after(), 3s);
  ASSERT_NE(error.detail<SomeDetail>(), nullptr);
  EXPECT_EQ(error.detail<SomeDetail>()->number, 7);
  EXPECT_EQ(error.detail<OtherDetail>(), nullptr);
}

TEST(ErrorTest, EachKindHasItsName) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    names.insert(ToString(static_cast<ErrorKind>(kind)));
  }
  EXPECT_EQ(names.size(), 13u);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace millwright
