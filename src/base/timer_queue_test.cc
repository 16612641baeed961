#include "base/timer_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace millwright {
namespace {

using namespace std::chrono_literals;

SteadyTime At(Duration since) { return SteadyTime(since); }

std::string PopAll(TimerQueue<std::string>& timers, SteadyTime now) {
  std::string all;
  while (const auto due = timers.PopDue(now)) all += *due;
  return all;
}

TEST(TimerQueueTest, ComeOutWhenTheyAreDueInOrder) {
  TimerQueue<std::string> timers;
  timers.Add(At(3s), "c");
  timers.Add(At(1s), "a");
  timers.Add(At(2s), "b");
  EXPECT_EQ(timers.Next(), At(1s));
  EXPECT_EQ(PopAll(timers, At(999ms)), "");
  EXPECT_EQ(PopAll(timers, At(2s)), "ab");
  EXPECT_EQ(timers.Next(), At(3s));
  EXPECT_EQ(PopAll(timers, At(1h)), "c");
  EXPECT_EQ(timers.Next(), std::nullopt);
}

TEST(TimerQueueTest, AmongEqualsTheFirstComesFirst) {
  TimerQueue<std::string> timers;
  for (const char* name : {"a", "b", "c"}) timers.Add(At(1s), name);
  EXPECT_EQ(PopAll(timers, At(1s)), "abc");
}

TEST(TimerQueueTest, WhatIsRemovedNeverComes) {
  TimerQueue<std::string> timers;
  const TimerId a = timers.Add(At(1s), "a");
  const TimerId b = timers.Add(At(1s), "b");
  timers.Remove(a);
  EXPECT_EQ(PopAll(timers, At(1s)), "b");
  // Gone already, or never there.
  timers.Remove(a);
  timers.Remove(b);
  timers.Remove(12345);
  EXPECT_EQ(timers.Next(), std::nullopt);
}

}  // namespace
}  // namespace millwright
