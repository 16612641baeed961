#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Against frames written by hand: what a well-behaved server cannot be made to do.
class Http2FaultTest : public Http2Fixture {
 protected:
  // What to do with a request: bytes to send, then go on or close.
  struct Move {
    std::string bytes;
    bool close = false;
    bool hard = false;
  };
  struct Asked {
    int connection = 0;  // from 1
    int request = 0;     // on that connection, from 1
    std::uint32_t stream = 0;
  };
  using Script = std::function<Move(const Asked&)>;

  LocalServer& ServeFrames(Script script) {
    auto shared = std::make_shared<Script>(std::move(script));
    return ServePeers([this, shared](PeerPtr peer) { return Play(peer, shared, &heard_); });
  }

  static Task<void> Play(PeerPtr peer, std::shared_ptr<Script> script, int* heard) {
    co_await peer->Greet();
    for (int request = 1;; ++request) {
      const auto asked = co_await peer->Next();
      if (!asked) co_return;
      ++*heard;
      const Move move = (*script)(
          {.connection = peer->connection().number, .request = request, .stream = asked->stream});
      if (!move.bytes.empty()) co_await peer->Say(move.bytes);
      if (move.close) {
        peer->connection().Close(move.hard);
        co_return;
      }
    }
  }

  // Answers the first request of the first connection, so that the next one finds it open.
  static Script AfterOne(Script script) {
    return [script](const Asked& asked) {
      const bool first = asked.connection == 1 && asked.request == 1;
      return first ? Move{.bytes = AnswerFrames(asked.stream, "first")} : script(asked);
    };
  }

  static Move Fine(const Asked& asked) { return {.bytes = AnswerFrames(asked.stream, "fine")}; }

  int heard_ = 0;
};

TEST_F(Http2FaultTest, RefusedStreamIsSentAgainOnAnotherConnection) {
  for (const bool kept : {false, true}) {
    heard_ = 0;
    const Script refuse_once = [](const Asked& asked) {
      if (asked.connection > 1) return Move{.bytes = AnswerFrames(asked.stream, "again")};
      return Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(refuse_once) : refuse_once).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->body, "again");
    EXPECT_EQ(heard_, kept ? 3 : 2);
  }
}

TEST_F(Http2FaultTest, RefusedStreamIsSentAgainOnTheSameConnectionIfThereMayBeNoOther) {
  auto& server = ServeFrames([](const Asked& asked) {
    return asked.request == 1 ? Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)}
                              : Fine(asked);
  });
  ClientOptions options = OptionsFor(server.url());
  options.max_connections = 1;
  auto http = Client(options);
  EXPECT_EQ(Run(http->Send(Post("/", "x")))->body, "fine");
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2FaultTest, AlwaysRefusedIsUnavailableAlsoForAWrite) {
  for (const bool kept : {false, true}) {
    heard_ = 0;
    const Script refuse = [](const Asked& asked) {
      return Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(refuse) : refuse).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable) << answer.error().message();
    EXPECT_EQ(heard_, kept ? 3 : 2);
  }
}

TEST_F(Http2FaultTest, RefusedStreamIsOpenedAgainToo) {
  auto& server = ServeFrames([](const Asked& asked) {
    return asked.connection == 1
               ? Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)}
               : Fine(asked);
  });
  auto http = ClientAt(server.url());
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ(Run(stream->body->Read()), "fine");
}

// Leaves the first connection at its second request, whose answer comes on the next one.
Task<void> LeaveAtTheSecond(std::shared_ptr<Http2Peer> peer, Gate* answered_again) {
  co_await peer->Greet();
  const bool leaves = peer->connection().number == 1;
  const auto first = co_await peer->Next();
  if (leaves) {
    co_await peer->Next();
    co_await peer->Say(GoAwayFrame(first->stream));
    co_await answered_again->Wait();
  }
  co_await peer->Answer(first->stream, Text(leaves ? "first" : "again"));
  while (co_await peer->Next()) {
  }
}

TEST_F(Http2FaultTest, GoAwayBeforeItWasLookedAtIsSentAgainWhileOthersFinish) {
  Gate answered_again(executor());
  auto& server = ServePeers([&](PeerPtr peer) { return LeaveAtTheSecond(peer, &answered_again); });
  auto http = ClientAt(server.url());
  const auto one = Start(*http, Post("/", "x"));
  const auto other = Start(*http, Post("/", "x"));
  RunUntil([&] { return one->has_value() || other->has_value(); });
  answered_again.Open();
  Run(tasks_.Join());
  ASSERT_TRUE(**one) << (*one)->error().message();
  ASSERT_TRUE(**other) << (*other)->error().message();
  EXPECT_THAT((std::vector{(*one)->value().body, (*other)->value().body}),
              testing::UnorderedElementsAre("first", "again"));
  EXPECT_EQ(server.accepted(), 2);
}

TEST_F(Http2FaultTest, GoAwayWithNothingElseUnderWayIsSentAgainToo) {
  for (const bool kept : {false, true}) {
    heard_ = 0;
    const Script leave = [](const Asked& asked) {
      if (asked.connection > 1) return Fine(asked);
      return Move{.bytes = GoAwayFrame(asked.stream < 2 ? 0 : asked.stream - 2)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(leave) : leave).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->body, "fine");
    EXPECT_EQ(heard_, kept ? 3 : 2);
  }
}

TEST_F(Http2FaultTest, GoAwayAfterItWasAnsweredCostsNothing) {
  const Script answer_and_leave = [](const Asked& asked) {
    return Move{.bytes = AnswerFrames(asked.stream, "ok") + GoAwayFrame(asked.stream)};
  };
  auto& server = ServeFrames(answer_and_leave);
  auto http = ClientAt(server.url());
  for (int i = 1; i <= 3; ++i) {
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(server.accepted(), i);
    EXPECT_EQ(heard_, i);
  }
}

TEST_F(Http2FaultTest, GoAwayLeavesWhatIsUnderWay) {
  const Script answer_late = [](const Asked& asked) {
    if (asked.request == 1) return Move{.bytes = GoAwayFrame(3)};
    return Move{.bytes = AnswerFrames(1, "one") + AnswerFrames(3, "two")};
  };
  auto http = ClientAt(ServeFrames(answer_late).url());
  const auto one = Start(*http, Post("/", "x"));
  const auto two = Start(*http, Post("/", "x"));
  Run(tasks_.Join());
  ASSERT_TRUE(**one) << (*one)->error().message();
  ASSERT_TRUE(**two) << (*two)->error().message();
  EXPECT_EQ((*two)->value().body, "two");
  EXPECT_EQ(heard_, 2);
}

TEST_F(Http2FaultTest, WhatTheServerSaysWhenItThrowsUsOutIsPassedOn) {
  auto& server = ServeFrames([](const Asked& asked) {
    return Move{.bytes = GoAwayFrame(asked.stream, Http2Frame::kEnhanceYourCalm, "too_many"),
                .close = true};
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Post("/", "x")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kInDoubt);
  EXPECT_THAT(answer.error().message(), HasSubstr("GOAWAY ENHANCE_YOUR_CALM too_many"));
}

TEST_F(Http2FaultTest, LostConnectionLeavesAWriteInDoubtAndIsNotRepeated) {
  for (const bool kept : {false, true}) {
    for (const bool hard : {false, true}) {
      heard_ = 0;
      const Script vanish = [hard](const Asked&) {
        return Move{.bytes = "", .close = true, .hard = hard};
      };
      auto http = ClientAt(ServeFrames(kept ? AfterOne(vanish) : vanish).url());
      if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
      const auto answer = Run(http->Send(Post("/", "x")));
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().kind(), ErrorKind::kInDoubt) << answer.error().message();
      EXPECT_EQ(heard_, kept ? 2 : 1);
    }
  }
}

TEST_F(Http2FaultTest, ReadOnAConnectionThatDiesIsRepeatedIfItHadWorked) {
  const Script vanish = [](const Asked&) { return Move{.bytes = "", .close = true}; };
  auto fresh = ClientAt(ServeFrames(vanish).url());
  EXPECT_EQ(Run(fresh->Send(Get("/"))).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(heard_, 1);

  heard_ = 0;
  const Script vanish_once = [](const Asked& asked) {
    return asked.connection == 1 ? Move{.bytes = "", .close = true} : Fine(asked);
  };
  auto kept = ClientAt(ServeFrames(AfterOne(vanish_once)).url());
  ASSERT_EQ(Run(kept->Send(Get("/")))->body, "first");
  EXPECT_EQ(Run(kept->Send(Get("/")))->body, "fine");
  EXPECT_EQ(heard_, 3);
}

TEST_F(Http2FaultTest, IdleConnectionThatTheServerClosedIsNotUsed) {
  auto& server = ServeFrames([](const Asked& asked) {
    return Move{.bytes = AnswerFrames(asked.stream, "fine"), .close = true};
  });
  auto http = ClientAt(server.url());
  for (int i = 1; i <= 3; ++i) {
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(server.accepted(), i);
    RunUntil([&] { return http->connections_open() == 0; });
  }
}

TEST_F(Http2FaultTest, BrokenStreamLeavesAWriteInDoubtAndOthersAlone) {
  const Script break_first = [](const Asked& asked) {
    if (asked.request == 1) return Move{};
    return Move{.bytes =
                    ResetFrame(1, Http2Frame::kInternalError) + AnswerFrames(asked.stream, "fine")};
  };
  auto& server = ServeFrames(break_first);
  auto http = ClientAt(server.url());
  const auto broken = Start(*http, Post("/", "x"));
  RunUntil([&] { return heard_ == 1; });
  const auto fine = Start(*http, Post("/", "x"));
  Run(tasks_.Join());
  EXPECT_EQ((*broken)->error().kind(), ErrorKind::kInDoubt);
  EXPECT_THAT((*broken)->error().message(), HasSubstr("INTERNAL_ERROR"));
  ASSERT_TRUE(**fine) << (*fine)->error().message();
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2FaultTest, AnswerResetHalfWayIsNoAnswer) {
  auto& server = ServeFrames([](const Asked& asked) {
    return Move{.bytes = HeadFrame(asked.stream, 200, {}) + DataFrame(asked.stream, "half") +
                         ResetFrame(asked.stream, Http2Frame::kRefusedStream)};
  });
  auto http = ClientAt(server.url());
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Run(http->Send(Post("/", "x"))).error().kind(), ErrorKind::kInDoubt);
  EXPECT_EQ(heard_, 2);
}

TEST_F(Http2FaultTest, AnswerShorterThanItPromisedIsNoAnswer) {
  auto& server = ServeFrames([](const Asked& asked) {
    return Move{.bytes = HeadFrame(asked.stream, 200, {{"content-length", "10"}}) +
                         DataFrame(asked.stream, "half", true)};
  });
  auto http = ClientAt(server.url());
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Run(http->Send(Post("/", "x"))).error().kind(), ErrorKind::kInDoubt);
}

TEST_F(Http2FaultTest, NonsenseEndsTheConnectionAndTheNextIsFine) {
  const std::string nonsense = Encode({.type = Http2Frame::kData, .stream = 99, .payload = "?"});
  auto& server = ServeFrames([&](const Asked& asked) {
    return asked.connection == 1 ? Move{.bytes = nonsense} : Fine(asked);
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Post("/", "x")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kInDoubt);
  EXPECT_EQ(Run(http->Send(Post("/", "x")))->body, "fine");
  EXPECT_EQ(server.accepted(), 2);
}

TEST_F(Http2FaultTest, HeadHasALimit) {
  auto& server = ServeFrames([&](const Asked& asked) {
    if (asked.request > 2) return Fine(asked);
    // Fields of which the table of HPACK holds one, named again and again: small on the wire.
    std::string block = "\x88";
    block += std::string("\x40\x01z\x7f\xa1\x1e", 6) + std::string(4000, 'v');
    block += std::string(200, '\xbe');
    return Move{.bytes = Encode({.type = Http2Frame::kHeaders,
                                 .flags = Http2Frame::kEndHeaders | Http2Frame::kEndStream,
                                 .stream = asked.stream,
                                 .payload = block})};
  });
  auto http = ClientAt(server.url());
  const auto read = Run(http->Send(Get("/")));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind(), ErrorKind::kInvalid) << read.error().message();
  EXPECT_THAT(read.error().message(), HasSubstr("head is larger than"));
  EXPECT_EQ(Run(http->Send(Post("/", "x"))).error().kind(), ErrorKind::kInDoubt);
  EXPECT_EQ(Run(http->Send(Get("/")))->body, "fine");
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2FaultTest, ServerThatWantsHttp11SaysSo) {
  auto& server = ServeFrames([](const Asked& asked) {
    return Move{.bytes = ResetFrame(asked.stream, Http2Frame::kHttp11Required)};
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Post("/", "x")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable);
  EXPECT_NE(answer.error().detail<NeedsHttp11>(), nullptr);
}

TEST_F(Http2FaultTest, AnswerBeforeTheRequestIsOutIsTaken) {
  // The body does not fit into the window that this server never opens.
  Gate reset(executor());
  auto& server = ServePeers([&](PeerPtr peer) {
    return [](PeerPtr self, Gate* gate) -> Task<void> {
      co_await self->Greet(SettingsFrame(1000));
      while (true) {
        const auto frame = co_await self->NextFrame();
        if (!frame) co_return;
        if (frame->type == Http2Frame::kHeaders) {
          co_await self->Answer(frame->stream, {.status = 413, .headers = {}, .body = "no"});
        }
        if (frame->type == Http2Frame::kReset) gate->Open();
      }
    }(peer, &reset);
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Post("/", std::string(100'000, 'x'))));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(answer->body, "no");
  Run(reset.Wait());
}

// Answers each request with the body it got. After the first it reads nothing until told to.
Task<void> ReadLate(std::shared_ptr<Http2Peer> peer, Gate* gate) {
  co_await peer->Greet();
  if (peer->connection().number > 1) co_await gate->Wait();
  while (true) {
    const auto asked = co_await peer->Next();
    if (!asked) co_return;
    co_await peer->Answer(asked->stream, Text(asked->request.body));
    co_await gate->Wait();
  }
}

TEST_F(Http2FaultTest, ServerThatDoesNotReadGetsTheRequestsWholeInTheEnd) {
  Gate gate(executor());
  auto& server = ServePeers([&](PeerPtr peer) { return ReadLate(peer, &gate); });
  auto http = ClientAt(server.url());
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  std::vector<std::string> bodies;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 300; ++i) {
    bodies.emplace_back(static_cast<std::size_t>(i) * 130, static_cast<char>('a' + (i % 26)));
    outcomes.push_back(Start(*http, Post("/", bodies.back())));
  }
  RunUntil([&] { return server.accepted() == 3; });
  Settle();
  gate.Open();
  Run(tasks_.Join());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(**outcomes[i]) << (*outcomes[i])->error().message();
    EXPECT_TRUE((*outcomes[i])->value().body == bodies[i]) << i;
  }
  EXPECT_EQ(server.accepted(), 3);
}

// Silence, on a clock in our hands.

// The first connection answers once, then hears a request and says nothing until the gate opens.
Task<void> FallSilent(std::shared_ptr<Http2Peer> peer, Gate* heard, Gate* gate) {
  co_await peer->Greet();
  if (peer->connection().number == 1) {
    const auto first = co_await peer->Next();
    co_await peer->Answer(first->stream, Text("first"));
    co_await peer->Next();
    heard->Open();
    co_await gate->Wait();
  }
  while (const auto asked = co_await peer->Next()) {
    co_await peer->Answer(asked->stream, Text(std::to_string(peer->connection().number)));
  }
}

TEST_F(Http2FaultTest, AfterATimeoutASilentConnectionIsNotTrustedUntilItAnswers) {
  Gate heard(executor());
  Gate gate(executor());
  auto& server = ServePeers([&](PeerPtr peer) { return FallSilent(peer, &heard, &gate); });
  auto http = ClientAt(server.url());
  ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
  HttpRequest request = Get("/");
  request.timeout = 10s;
  const auto lost = Start(*http, request);
  Run(heard.Wait());
  clock_.Advance(10s);
  Run(tasks_.Join());
  EXPECT_EQ((*lost)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*lost)->error().message(), HasSubstr("no answer in time"));
  EXPECT_EQ(Run(http->Send(Get("/")))->body, "2");

  gate.Open();
  while (Run(http->Send(Get("/")))->body != "1") {
  }
  EXPECT_EQ(server.accepted(), 2);
}

// Answers as many pings as it is told to, each with a byte for the stream besides.
Task<void> AnswerPings(std::shared_ptr<Http2Peer> peer, int* pings, int answered) {
  co_await peer->Greet();
  std::uint32_t stream = 0;
  while (const auto frame = co_await peer->NextFrame()) {
    if (frame->type == Http2Frame::kHeaders) {
      stream = frame->stream;
      co_await peer->Say(HeadFrame(stream, 200, {}));
    }
    const bool ping = frame->type == Http2Frame::kPing && (frame->flags & Http2Frame::kAck) == 0;
    if (ping && ++*pings <= answered) {
      co_await peer->Say(PingFrame(frame->payload, Http2Frame::kAck) + DataFrame(stream, "."));
    }
  }
}

TEST_F(Http2FaultTest, HalfOpenPeerIsFoundByPing) {
  int pings = 0;
  auto& server = ServePeers([&](PeerPtr peer) { return AnswerPings(peer, &pings, 2); });
  auto http = ClientAt(server.url());
  auto stream = Run(http->Open(Get("/watch")));
  ASSERT_TRUE(stream) << stream.error().message();

  // As long as it answers, the stream may be quiet for ever.
  for (int i = 1; i <= 2; ++i) {
    clock_.Advance(29s);
    Settle();
    EXPECT_EQ(pings, i - 1);
    clock_.Advance(1s);
    EXPECT_EQ(Run(stream->body->Read()), ".");
    EXPECT_EQ(pings, i);
  }
  clock_.Advance(30s);
  RunUntil([&] { return pings == 3; });
  clock_.Advance(14s);
  Settle();
  EXPECT_EQ(http->connections_open(), 1U);
  clock_.Advance(1s);
  const auto piece = Run(stream->body->Read());
  ASSERT_FALSE(piece);
  EXPECT_EQ(piece.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(piece.error().message(), HasSubstr("no sign of life"));
}

TEST_F(Http2FaultTest, ConnectionsThatARushLeftBehindAreClosed) {
  Gate gate(executor());
  auto& server = ServePeers([&](PeerPtr peer) {
    return [](PeerPtr self, Gate* opened) -> Task<void> {
      co_await self->Greet(SettingsFrame(1U << 20U, 1));
      while (const auto asked = co_await self->Next()) {
        if (asked->request.target == "/held") co_await opened->Wait();
        co_await self->Answer(asked->stream, Text("ok"));
      }
    }(peer, &gate);
  });
  auto http = ClientAt(server.url());
  ASSERT_TRUE(Run(http->Send(Get("/"))));  // now it is known that the server takes one at a time
  const auto one = Start(*http, Get("/held"));
  const auto two = Start(*http, Get("/held"));
  RunUntil([&] { return server.accepted() == 2; });
  gate.Open();
  Run(tasks_.Join());
  EXPECT_EQ(http->connections_open(), 2U);
  clock_.Advance(30s);
  RunUntil([&] { return http->connections_open() == 1; });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_EQ(server.accepted(), 2);
}

}  // namespace
}  // namespace millwright::net
