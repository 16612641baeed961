#include "net/server_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "net/server_fake_connection.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

class ServerConnectionTest : public ConnectionFixture, public testing::Test {};

struct Case {
  const char* name;
  const char* bytes;
  const char* want;
  bool goodbye;  // the server wants no more requests
};

const Case kCases[] = {
    {"Get", "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nGET:", false},
    {"Body", "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
     "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nPUT:abc", false},
    {"ChunkedBody",
     "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
     "chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nPUT:abc", false},
    {"HeadHasTheLengthOnly", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", false},
    {"HeadOfAStreamDoesNotRunIt", "HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", false},
    {"NoContentHasNoBody", "GET /none HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 204 No Content\r\n\r\n", false},
    {"PipelinedRequestsAreAnsweredInOrder",
     "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
     "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n"
     "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nPUT:x"
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none,\r\n3\r\ntwo\r\n0\r\n\r\n"
     "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nGET:",
     false},
    {"CloseOnRequest", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nGET:", true},
    {"CloseByTheHandler", "GET /close HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbye", true},
    {"NothingAfterClose", "GET /close HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbye", true},
    {"OldHttp", "GET / HTTP/1.0\r\n\r\n",
     "HTTP/1.0 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nGET:", true},
    {"OldHttpStream", "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
     "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\none,two", true},
    {"Malformed", "what?\r\n\r\n",
     "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
     "Content-Length: 18\r\nConnection: close\r\n\r\nmalformed request\n",
     true},
    {"BodyTooLarge", "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n",
     "HTTP/1.1 413 Payload Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
     "Content-Length: 23\r\nConnection: close\r\n\r\nrequest body too large\n",
     true},
    {"BodyTooLargeIsNotAskedFor",
     "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n",
     "HTTP/1.1 413 Payload Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
     "Content-Length: 23\r\nConnection: close\r\n\r\nrequest body too large\n",
     true},
    {"Upgrade", "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
     "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
     "Content-Length: 41\r\nConnection: close\r\n\r\nthis server does not upgrade connections\n",
     true},
    {"HandlerThrows", "GET /throw HTTP/1.1\r\nHost: h\r\n\r\n",
     "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain; charset=utf-8\r\n"
     "Content-Length: 15\r\n\r\ninternal error\n",
     false},
    {"HalfARequest", "GET / HTTP/1.1\r\nHost", "", false},
};

class ConversationTest : public ConnectionFixture, public testing::TestWithParam<Case> {};

TEST_P(ConversationTest, AtOnce) {
  EXPECT_EQ(Exchange(GetParam().bytes), GetParam().want);
  EXPECT_EQ(client_->saw_goodbye(), GetParam().goodbye);
  EXPECT_FALSE(ended_);
  client_->HangUp();
  world_.Settle();
  EXPECT_TRUE(ended_);
}

TEST_P(ConversationTest, ByteByByte) {
  std::string received;
  for (const char* byte = GetParam().bytes; *byte != '\0'; ++byte) {
    received += Exchange({byte, 1});
  }
  EXPECT_EQ(received, GetParam().want);
  EXPECT_EQ(client_->saw_goodbye(), GetParam().goodbye);
}

INSTANTIATE_TEST_SUITE_P(All, ConversationTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(ServerConnectionTest, HandlerGetsTheRequestWhole) {
  Exchange("PUT /a?b=c HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nxy");
  ASSERT_EQ(handler_.requests.size(), 1U);
  const ServerRequest& request = handler_.requests[0];
  EXPECT_EQ(request.http.method, "PUT");
  EXPECT_EQ(request.http.target, "/a?b=c");
  EXPECT_EQ(request.http.headers.Find("x-a"), "1");
  EXPECT_EQ(request.http.body, "xy");
  EXPECT_EQ(request.peer.address, "fake:1");
  EXPECT_FALSE(request.peer.verified);
}

TEST_F(ServerConnectionTest, AsksForTheBodyThatWaitsToBeAskedFor) {
  EXPECT_EQ(Exchange("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
                     "Expect: 100-continue\r\n\r\n"),
            "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(Exchange("x"), "");
  EXPECT_EQ(Exchange("y"), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPUT:xy");
}

TEST_F(ServerConnectionTest, LongBodiesComeWhole) {
  const std::string answer = Exchange("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nxxx"));
  EXPECT_EQ(answer.size(), answer.find("\r\n\r\n") + 4 + 1'000'000);
}

TEST_F(ServerConnectionTest, AThrowingHandlerIsLoggedAndTheConnectionGoesOn) {
  Exchange("GET /throw HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(sink_.lines(), ElementsAre(EndsWith("handler failed                       method=GET "
                                                  "target=/throw error=\"on purpose\"\n")));
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n"), EndsWith("GET:"));
}

TEST_F(ServerConnectionTest, AHandlerMayCutTheConnection) {
  EXPECT_EQ(Exchange("GET /cut HTTP/1.1\r\nHost: h\r\n\r\n"), "");
  EXPECT_TRUE(client_->is_cut());
  EXPECT_FALSE(client_->saw_goodbye());
  EXPECT_TRUE(ended_);
}

TEST_F(ServerConnectionTest, SlowHeadersAreCut) {
  Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  world_.Advance(60s);
  // A first line, and one byte now and then, do not help.
  const std::string_view drip = "\nHost: h\r\n";
  client_->Send("GET /slow HTTP/1.1\r");
  for (std::size_t i = 0; i < 9; ++i) {
    client_->Send(drip.substr(i, 1));
    world_.Advance(1s);
  }
  EXPECT_FALSE(ended_);
  world_.Advance(1s);
  EXPECT_TRUE(ended_);
  EXPECT_TRUE(client_->is_cut());
  EXPECT_EQ(Receive(), "");
}

TEST_F(ServerConnectionTest, AClientThatNeverAsksIsCut) {
  world_.Advance(9999ms);
  EXPECT_FALSE(ended_);
  world_.Advance(1ms);
  EXPECT_TRUE(ended_);
}

TEST_F(ServerConnectionTest, SlowBodiesAreCut) {
  Exchange("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
  world_.Advance(59s);
  client_->Send("b");
  world_.Advance(999ms);
  EXPECT_FALSE(ended_);
  world_.Advance(1ms);
  EXPECT_TRUE(ended_);
  EXPECT_TRUE(handler_.requests.empty());
}

TEST_F(ServerConnectionTest, IdleConnectionsAreKeptForAWhile) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n"), EndsWith("GET:")) << i;
    EXPECT_TRUE(connection_.is_idle());
    world_.Advance(119s);
  }
  EXPECT_FALSE(ended_);
  world_.Advance(1s);
  EXPECT_TRUE(ended_);
}

TEST_F(ServerConnectionTest, AHandlerMayTakeItsTime) {
  Exchange("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
  world_.Advance(1h);
  handler_.Release();
  EXPECT_THAT(Receive(), EndsWith("released"));
}

TEST_F(ServerConnectionTest, AClientThatDoesNotReadIsCut) {
  client_->Stall(true);
  Exchange("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
  world_.Advance(59s);
  EXPECT_FALSE(ended_);
  world_.Advance(1s);
  EXPECT_TRUE(ended_);
}

TEST_F(ServerConnectionTest, AfterTheGoodbyeTheClientMustGoSoon) {
  Exchange("GET /close HTTP/1.1\r\nHost: h\r\n\r\n");
  world_.Advance(1999ms);
  EXPECT_FALSE(ended_);
  world_.Advance(1ms);
  EXPECT_TRUE(ended_);
}

}  // namespace
}  // namespace millwright::net
