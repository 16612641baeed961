#include "providers/grpc/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::providers::grpc {
namespace {

using namespace std::chrono_literals;
using core::CloudCode;
using net::Headers;
using net::HttpResponse;
using testing::HasSubstr;

HttpResponse Answer(std::string body, Headers more) {
  HttpResponse answer{
      .status = 200, .headers = {{"content-type", "application/grpc"}}, .body = std::move(body)};
  for (const auto& [name, value] : more) answer.headers.Add(name, value);
  return answer;
}

CloudCode CodeIn(const HttpResponse& answer) { return *CodeOf(ReadAnswer(answer).error()); }

TEST(GrpcStatusTest, AMessageIsUnpacked) {
  EXPECT_EQ(Frame("abc"), std::string("\0\0\0\0\3abc", 8));
  EXPECT_EQ(*ReadAnswer(Answer(Frame("abc"), {{"grpc-status", "0"}})), "abc");
  EXPECT_EQ(*ReadAnswer(Answer(Frame(""), {{"grpc-status", "0"}})), "");
}

TEST(GrpcStatusTest, CodesAreTheProviders) {
  for (int code = 1; code <= 16; ++code) {
    EXPECT_EQ(CodeIn(Answer("", {{"grpc-status", std::to_string(code)}})),
              static_cast<CloudCode>(code));
  }
  for (const char* odd : {"17", "-1", "", "5x", "x", "99999999999"}) {
    EXPECT_EQ(CodeIn(Answer("", {{"grpc-status", odd}})), CloudCode::kUnknown) << odd;
  }
}

TEST(GrpcStatusTest, WordsAreDecodedAndFitForAnObject) {
  const auto text = [](std::string message) {
    return ReadAnswer(Answer("", {{"grpc-status", "5"}, {"grpc-message", std::move(message)}}))
        .error()
        .message();
  };
  EXPECT_EQ(text("no%20such%20thing: %C3%A4"), "no such thing: \u00e4");
  EXPECT_EQ(text("100% %zz %4"), "100% %zz %4");
  EXPECT_EQ(text("%FF %FE"), "? ?");
  EXPECT_EQ(text(""), "NotFound");
  EXPECT_EQ(text(std::string(5000, 'x')).size(), 2048U + 3);
}

TEST(GrpcStatusTest, AFailureMayHaveSomethingToKeep) {
  // google.rpc.Status with an ErrorDetail whose state is "half", without padding.
  const auto read = ReadAnswer(Answer(
      "",
      {{"grpc-status", "14"},
       {"grpc-status-details-bin",
        "CA4aQAo2dHlwZS5nb29nbGVhcGlzLmNvbS9taWxsd3JpZ2h0LnByb3ZpZGVyLnYxLkVycm9yRGV0YWlsEgYKBGhhb"
        "GY"}}));
  const auto* failure = read.error().detail<CloudFailure>();
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->code, CloudCode::kUnavailable);
  EXPECT_EQ(failure->remember, "half");
}

TEST(GrpcStatusTest, WhatIsNoProvidersWordIsNeverNotFound) {
  for (const int status : {400, 401, 403, 404, 410, 429, 500, 502, 503, 504}) {
    const CloudCode code = CodeIn({.status = status, .headers = {{"grpc-status", "5"}}});
    EXPECT_NE(code, CloudCode::kNotFound) << status;
    EXPECT_NE(code, CloudCode::kUnimplemented) << status;
  }
  EXPECT_EQ(CodeIn({.status = 200, .headers = {{"content-type", "text/html"}}, .body = "hello"}),
            CloudCode::kUnavailable);
  EXPECT_EQ(CodeIn(Answer(Frame("abc"), {})), CloudCode::kUnknown);
}

TEST(GrpcStatusTest, DamagedMessagesAreRefused) {
  const std::string bodies[] = {"", std::string("\0\0\0\0", 4), std::string("\1\0\0\0\0", 5),
                                std::string("\0\0\0\0\1", 5), Frame("a") + Frame("b")};
  for (const std::string& body : bodies) {
    EXPECT_EQ(CodeIn(Answer(body, {{"grpc-status", "0"}})), CloudCode::kInternal);
  }
}

TEST(GrpcStatusTest, NoAnswerIsUnreachableWhateverTheReason) {
  for (const ErrorKind kind : {ErrorKind::kUnavailable, ErrorKind::kInDoubt, ErrorKind::kInvalid,
                               ErrorKind::kUnauthenticated, ErrorKind::kNotFound}) {
    const Result<void> failure = Unreachable(Error(kind, "why"), false);
    EXPECT_EQ(CodeOf(failure.error()), CloudCode::kUnavailable);
  }
  const Result<void> late = Unreachable(Error(ErrorKind::kInDoubt, "why"), true);
  EXPECT_EQ(CodeOf(late.error()), CloudCode::kDeadlineExceeded);
  const Result<void> stopped = Unreachable(Error(ErrorKind::kCancelled, "why"), true);
  EXPECT_EQ(CodeOf(stopped.error()), CloudCode::kCanceled);
}

TEST(GrpcStatusTest, TimeoutsHaveAtMostEightDigits) {
  EXPECT_EQ(TimeoutText(20min), "1200000m");
  EXPECT_EQ(TimeoutText(1ns), "1m");
  EXPECT_EQ(TimeoutText(100h), "360000S");
}

TEST(GrpcStatusTest, SecretsThatAProviderQuotesAreTakenOut) {
  std::map<std::string, SecretText> secrets;
  secrets.emplace("password", SecretText("correct horse"));
  secrets.emplace("region", SecretText("eu"));
  EXPECT_EQ(WithoutSecrets("login 'correct horse' in eu with #cloud-config: correct horse", secrets,
                           SecretText("#cloud-config")),
            "login '***' in eu with ***: ***");
}

}  // namespace
}  // namespace millwright::providers::grpc
