// Streams, and the end of connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "net/server_fake_connection.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kWait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kWatch = "GET /watch HTTP/1.1\r\nHost: h\r\n\r\n";

class StreamTest : public ConnectionFixture, public testing::Test {};

TEST_F(StreamTest, EachPieceGoesOutAtOnce) {
  EXPECT_EQ(Exchange(kWatch), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  handler_.Emit("first");
  EXPECT_EQ(Receive(), "5\r\nfirst\r\n");
  world_.Advance(1h);
  handler_.Emit("second");
  EXPECT_EQ(Receive(), "6\r\nsecond\r\n");
  handler_.End();
  EXPECT_EQ(Receive(), "0\r\n\r\n");
  EXPECT_FALSE(ended_);
}

TEST_F(StreamTest, TheNextRequestIsServedAfterIt) {
  Exchange(kWatch);
  handler_.End();
  Receive();
  EXPECT_TRUE(connection_.is_idle());
  EXPECT_THAT(Exchange(kGet), EndsWith("GET:"));
  EXPECT_THAT(Exchange(kGet), EndsWith("GET:"));
  EXPECT_THAT(Exchange("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n"), EndsWith("0\r\n\r\n"));
  EXPECT_THAT(Exchange(kGet), EndsWith("GET:"));
}

TEST_F(StreamTest, ARequestSentMeanwhileWaitsForItsEnd) {
  Exchange(kWatch);
  EXPECT_EQ(Exchange(kGet), "");
  EXPECT_EQ(handler_.requests.size(), 1U);
  handler_.End();
  EXPECT_THAT(Receive(), EndsWith("GET:"));
}

TEST_F(StreamTest, IdleTimeRunsAfterIt) {
  Exchange(kWatch);
  world_.Advance(1h);
  handler_.End();
  world_.Advance(119s);
  EXPECT_FALSE(ended_);
  world_.Advance(1s);
  EXPECT_TRUE(ended_);
}

TEST_F(StreamTest, EndsWhenTheClientHangsUp) {
  Exchange(kWatch);
  EXPECT_EQ(handler_.watchers, 1);
  client_->HangUp();
  world_.Settle();
  EXPECT_EQ(handler_.watchers, 0);
  EXPECT_TRUE(ended_);
  EXPECT_THAT(sink_.lines(), IsEmpty());
}

TEST_F(StreamTest, EndsWhenTheClientHangsUpAfterMoreRequests) {
  Exchange(kWatch);
  Exchange(kGet);
  client_->HangUp();
  world_.Settle();
  EXPECT_EQ(handler_.watchers, 0);
  EXPECT_TRUE(ended_);
}

TEST_F(StreamTest, ASlowClientSlowsItDown) {
  Exchange(kWatch);
  client_->Stall(true);
  handler_.Emit("a");
  handler_.Emit("b");
  world_.Advance(59s);
  client_->Stall(false);
  EXPECT_EQ(Receive(), "1\r\na\r\n1\r\nb\r\n");
}

TEST_F(StreamTest, AClientThatTakesNothingIsCutAndTheWriterTold) {
  Exchange(kWatch);
  client_->Stall(true);
  handler_.Emit("a");
  handler_.Emit("b");
  world_.Advance(60s);
  EXPECT_TRUE(ended_);
  EXPECT_THAT(handler_.write_errors, ElementsAre(ErrorKind::kCancelled, ErrorKind::kCancelled));
}

TEST_F(StreamTest, AClientThatSendsAndSendsIsHeldBack) {
  Exchange(kWatch);
  client_->Send(std::string(1'000'000, 'x'));
  handler_.Emit("a");
  EXPECT_EQ(Receive(), "1\r\na\r\n");
  EXPECT_EQ(handler_.watchers, 1);
}

TEST_F(StreamTest, FailureCutsSoThatHalfIsNotTakenForTheWhole) {
  const std::string answer = Exchange("GET /broken HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(answer, EndsWith("4\r\nhalf\r\n"));
  EXPECT_TRUE(client_->is_cut());
  EXPECT_TRUE(ended_);
  EXPECT_THAT(sink_.lines(), ElementsAre(HasSubstr("the other half is lost")));
}

TEST_F(StreamTest, ExceptionCutsToo) {
  const std::string answer = Exchange("GET /throwing-stream HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(answer, EndsWith("4\r\nhalf\r\n"));
  EXPECT_TRUE(ended_);
  EXPECT_THAT(sink_.lines(), ElementsAre(HasSubstr("on purpose")));
}

class DrainTest : public ConnectionFixture, public testing::Test {};

TEST_F(DrainTest, BeforeAnyRequestEndsAtOnce) {
  connection_.Drain();
  world_.Settle();
  EXPECT_TRUE(ended_);
}

TEST_F(DrainTest, BetweenRequestsEndsAtOnce) {
  Exchange(kGet);
  connection_.Drain();
  world_.Settle();
  EXPECT_TRUE(ended_);
}

TEST_F(DrainTest, ARequestInFlightIsAnsweredWithTheNews) {
  Exchange(kWait);
  connection_.Drain();
  world_.Settle();
  EXPECT_FALSE(ended_);
  handler_.Release();
  EXPECT_EQ(Receive(), "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nreleased");
  EXPECT_TRUE(client_->saw_goodbye());
}

TEST_F(DrainTest, AnAnswerBegunIsFinished) {
  client_->Stall(true);
  Exchange(kGet);
  connection_.Drain();
  client_->Stall(false);
  EXPECT_THAT(Receive(), EndsWith("GET:"));
  EXPECT_TRUE(ended_);
}

TEST_F(DrainTest, AHalfReadRequestMayBeFinished) {
  Exchange("GET / HTTP/1.1\r\n");
  connection_.Drain();
  EXPECT_THAT(Exchange("Host: h\r\n\r\n"), HasSubstr("Connection: close"));
}

TEST_F(DrainTest, AStreamIsEndedProperly) {
  Exchange(kWatch);
  connection_.Drain();
  EXPECT_EQ(Receive(), "0\r\n\r\n");
  EXPECT_EQ(handler_.watchers, 0);
  EXPECT_TRUE(client_->saw_goodbye());
}

TEST_F(DrainTest, AStreamIsNotBegunAnyMore) {
  Exchange("GET /watch HTTP/1.1\r\n");
  connection_.Drain();
  EXPECT_THAT(Exchange("Host: h\r\n\r\n"), HasSubstr("503 Service Unavailable"));
  EXPECT_EQ(handler_.watchers, 0);
}

TEST_F(DrainTest, CutAndCancelEndsWhateverRuns) {
  Exchange(kWait);
  connection_.Cut();
  world_.Settle();
  EXPECT_FALSE(ended_);  // the handler is not told before its task is
  tasks_.Cancel();
  world_.Settle();
  EXPECT_TRUE(ended_);
  EXPECT_TRUE(handler_.wait_was_cancelled);
}

TEST_F(DrainTest, CutAndCancelEndsAStream) {
  Exchange(kWatch);
  tasks_.Cancel();
  connection_.Cut();
  world_.Settle();
  EXPECT_TRUE(ended_);
  EXPECT_EQ(handler_.watchers, 0);
  EXPECT_THAT(Receive(), Not(HasSubstr("0\r\n\r\n")));
}

}  // namespace
}  // namespace millwright::net
