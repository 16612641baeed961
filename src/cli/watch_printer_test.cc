#include "cli/watch_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "base/task_group.h"
#include "base/virtual/world.h"

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

// A stream into memory.
class Paper {
 public:
  Paper() : file_(open_memstream(&text_, &size_)) {}
  ~Paper() {
    std::fclose(file_);
    std::free(text_);
  }
  Paper(const Paper&) = delete;
  Paper& operator=(const Paper&) = delete;

  std::FILE* file() { return file_; }
  std::string Text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

class WatchPrinterTest : public testing::Test {
 protected:
  ~WatchPrinterTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  void Start(WatchFormat format, std::FILE* out = nullptr) {
    printer_.emplace(process_.executor(), clock_, format, out == nullptr ? out_.file() : out,
                     notes_.file());
    tasks_.Spawn([this] { return printer_->WaitDone(); });
    world_.Settle();
  }

  // Through the port, as the reflector sees it.
  kube::ReflectorSink& sink() { return *printer_; }

  Result<kube::ResourceVersion> Tell(bool gone, std::string_view text) {
    simdjson::ondemand::parser parser;
    const simdjson::padded_string padded(text);
    simdjson::ondemand::document document;
    kube::JsonObject object;
    EXPECT_FALSE(parser.iterate(padded).get(document));
    EXPECT_FALSE(document.get_object().get(object));
    return gone ? sink().Remove(object) : sink().Upsert(object);
  }
  void There(std::string_view text) { EXPECT_TRUE(Tell(false, text)); }
  void Gone(std::string_view text) { EXPECT_TRUE(Tell(true, text)); }

  bool IsDone() {
    world_.Settle();
    return tasks_.size() == 0;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Paper out_;
  Paper notes_;
  std::optional<WatchPrinter> printer_;
  TaskGroup tasks_{process_.executor()};
};

constexpr std::string_view kNode = R"({"metadata":{"name":"a","resourceVersion":"5"}})";
constexpr std::string_view kPod =
    R"({"metadata":{"name":"p","namespace":"ns","resourceVersion":"123456789"}})";

TEST_F(WatchPrinterTest, AColumnForEachThing) {
  Start({});
  There(kNode);
  There(kPod);
  sink().EndList(kube::ResourceVersion("9"));
  world_.Advance(1h);
  There(R"({"metadata":{"name":"a","resourceVersion":"10"}})");
  Gone(R"({"metadata":{"name":"a","resourceVersion":"11"}})");
  EXPECT_EQ(out_.Text(),
            "TIME                  EVENT    VERSION      OBJECT\n"
            "2026-01-01T00:00:00Z  THERE    5            a\n"
            "2026-01-01T00:00:00Z  THERE    123456789    ns/p\n"
            "2026-01-01T01:00:00Z  CHANGED  10           a\n"
            "2026-01-01T01:00:00Z  GONE     11           a\n");
  EXPECT_EQ(notes_.Text(), "-- 2 so far, at version 9; watching (Ctrl-C ends)\n");
  EXPECT_FALSE(IsDone());
}

TEST_F(WatchPrinterTest, ALineOfJsonForEachThing) {
  Start({.json = true});
  There("{\"metadata\": {\"name\": \"a b\",\n  \"x\": 1.50 },\n \"z\": [ 1, 2 ] }\n");
  sink().EndList(kube::ResourceVersion("9"));
  Gone(kNode);
  EXPECT_EQ(out_.Text(),
            R"({"event":"THERE","object":{"metadata":{"name":"a b","x":1.50},"z":[1,2]}})"
            "\n"
            R"({"event":"GONE","object":{"metadata":{"name":"a","resourceVersion":"5"}}})"
            "\n");
  EXPECT_EQ(notes_.Text(), "");
}

TEST_F(WatchPrinterTest, OnceEndsWithTheState) {
  Start({.once = true});
  There(kNode);
  EXPECT_FALSE(IsDone());
  EXPECT_FALSE(printer_->listed());
  sink().EndList(kube::ResourceVersion("9"));
  EXPECT_TRUE(IsDone());
  EXPECT_TRUE(printer_->listed());
  EXPECT_EQ(notes_.Text(), "");
}

TEST_F(WatchPrinterTest, AFreshListIsNotAnnouncedAgain) {
  Start({});
  sink().EndList(kube::ResourceVersion("9"));
  sink().EndList(kube::ResourceVersion("12"));
  EXPECT_EQ(notes_.Text(), "-- 0 so far, at version 9; watching (Ctrl-C ends)\n");
}

TEST_F(WatchPrinterTest, OfAFreshListOnlyWhatChangedIsTold) {
  Start({});
  const auto thing = [](std::string_view name, std::string_view version) {
    return R"({"metadata":{"name":")" + std::string(name) + R"(","resourceVersion":")" +
           std::string(version) + R"("}})";
  };
  sink().BeginList();
  for (const char* name : {"changed", "gone", "same"}) There(thing(name, "5"));
  sink().EndList(kube::ResourceVersion("9"));
  sink().BeginList();  // one that stops half-way takes nothing away
  There(thing("same", "5"));
  sink().BeginList();
  There(thing("changed", "11"));
  There(thing("new", "12"));
  There(thing("short", "13"));
  Gone(thing("short", "14"));
  There(thing("same", "5"));
  sink().EndList(kube::ResourceVersion("15"));
  There(thing("same", "4"));  // late
  EXPECT_THAT(out_.Text(), testing::EndsWith("2026-01-01T00:00:00Z  THERE    5            same\n"
                                             "2026-01-01T00:00:00Z  CHANGED  11           changed\n"
                                             "2026-01-01T00:00:00Z  CHANGED  12           new\n"
                                             "2026-01-01T00:00:00Z  CHANGED  13           short\n"
                                             "2026-01-01T00:00:00Z  GONE     14           short\n"
                                             "2026-01-01T00:00:00Z  GONE     5            gone\n"));
}

TEST_F(WatchPrinterTest, WhatWentUnseenIsNamedInJson) {
  Start({.json = true});
  sink().BeginList();
  There(kPod);
  sink().EndList(kube::ResourceVersion("9"));
  sink().BeginList();
  sink().EndList(kube::ResourceVersion("12"));
  EXPECT_THAT(
      out_.Text(),
      testing::EndsWith(
          R"({"event":"GONE","object":{"metadata":{"name":"p","namespace":"ns","resourceVersion":"123456789"}}})"
          "\n"));
}

TEST_F(WatchPrinterTest, WhatIsNoObjectIsRefused) {
  Start({});
  EXPECT_FALSE(Tell(false, R"({"metadata":{"name":5}})"));
  EXPECT_EQ(out_.Text(), "");
}

TEST_F(WatchPrinterTest, AReaderThatHasSeenEnoughEndsIt) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::FILE* writing = fdopen(ends[1], "w");
  Start({}, writing);
  sink().EndList(kube::ResourceVersion("9"));
  There(kNode);
  EXPECT_FALSE(IsDone());
  close(ends[0]);
  There(kPod);
  EXPECT_TRUE(IsDone());
  EXPECT_FALSE(printer_->problem());
  std::fclose(writing);
}

TEST_F(WatchPrinterTest, AFullDiskIsAProblem) {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP() << "no /dev/full here";
  Start({.once = true}, full);
  There(kNode);
  sink().EndList(kube::ResourceVersion("9"));
  EXPECT_TRUE(IsDone());
  ASSERT_TRUE(printer_->problem());
  EXPECT_EQ(printer_->problem()->message(), "cannot write the output: No space left on device");
  std::fclose(full);
}

}  // namespace
}  // namespace millwright::cli
