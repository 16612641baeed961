#include "tests/sim/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace millwright::sim {

using namespace std::chrono_literals;

namespace {

struct Row {
  What what;
  std::string_view name;
  int weight;  // how often, beside the others
  Duration longest{};
  int least_amount = 0;
  int most_amount = 0;
};

constexpr std::array kRows = {
    Row{What::kScaled, "scaled to", 10, 0s, 0, 5},
    Row{What::kRolled, "rolled to template", 8, 0s, 0, 3},
    Row{What::kMachineDeleted, "machine deleted", 6},
    Row{What::kMarked, "object marked", 8},
    Row{What::kVmHalted, "VM switched off", 4},
    Row{What::kVmDestroyed, "VM destroyed", 4},
    Row{What::kVmDoubled, "VM doubled", 3},
    Row{What::kAllHalted, "all nodes lost", 3, 600s},
    Row{What::kQuota, "quota of", 3, 600s, 0, 3},
    Row{What::kListLags, "lists of the cloud lag", 4, 300s},
    Row{What::kGetLags, "answers of the cloud lag", 2, 60s},
    Row{What::kCloudSlow, "cloud slow", 3, 300s},
    Row{What::kServerAway, "API server away", 5, 600s},
    Row{What::kCompaction, "API server away and its history gone", 4, 30s},
    Row{What::kWatchesHeld, "watches delayed", 5, 120s},
    Row{What::kWatchesRepeated, "watches repeat", 4, 300s},
    Row{What::kRival, "two leaders", 6, 300s},
    Row{What::kPaused, "process paused", 4, 300s},
    Row{What::kTakenOver, "process paused and taken over", 5, 120s},
    Row{What::kClockJump, "calendar wrong by hours:", 2, 300s, -1, 1},
    Row{What::kStaleRestart, "restarted with a view so many versions old:", 6, 60s, 1, 60},
};

const Row& RowOf(What what) { return *std::ranges::find(kRows, what, &Row::what); }

Happening DrawHappening(SeededRandom& random) {
  int all = 0;
  for (const Row& row : kRows) all += row.weight;
  auto left = static_cast<int>(random.Below(static_cast<std::uint64_t>(all)));
  const Row* row = kRows.data();
  while (left >= row->weight) left -= (row++)->weight;
  const auto below = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(most)));
  };
  Happening drawn{.what = row->what, .at = std::chrono::seconds(below(1200))};
  const auto longest = std::chrono::duration_cast<std::chrono::seconds>(row->longest);
  // Short ones hit what is under way, long ones what waits.
  if (longest > 0s) drawn.lasts = std::chrono::seconds(1 + below(1 + below(longest.count())));
  drawn.amount =
      row->least_amount + static_cast<int>(below(row->most_amount - row->least_amount + 1));
  drawn.pick = random.Next();
  return drawn;
}

}  // namespace

std::string_view NameOf(What what) { return RowOf(what).name; }

std::string Happening::ToString() const {
  const Row& row = RowOf(what);
  std::string text = fmt::format("at {} {}", FormatDuration(at), row.name);
  if (row.most_amount > 0) text += fmt::format(" {}", amount);
  if (lasts > 0s) text += fmt::format(" for {}", FormatDuration(lasts));
  return text;
}

Schedule DrawSchedule(std::uint64_t seed) {
  SeededRandom random(seed * 7 + 3);
  const auto some = [&](int most) {
    return static_cast<int>(random.Below(static_cast<std::uint64_t>(most) + 1));
  };
  // Half of the seeds lack any one kind of fault: what always fails hides what
  // follows.
  const auto maybe = [&](int most) { return random.Below(2) == 0 ? some(most) : 0; };
  Schedule drawn;
  drawn.faults.chances = {.refused = maybe(20),
                          .answer_lost = maybe(20),
                          .conflict = maybe(20),
                          .throttled = maybe(20),
                          .server_error = maybe(20),
                          .slow = maybe(10),
                          .crash = maybe(15),
                          .cut_streams = maybe(20),
                          .cloud_fails = maybe(60),
                          .cloud_answer_lost = maybe(60)};
  drawn.faults.restart_after = std::chrono::seconds(some(60));
  drawn.replicas = 1 + some(3);
  drawn.surge = some(2);
  drawn.unavailable = some(1);
  drawn.pods = some(4);
  drawn.least_pods = std::max(0, drawn.pods - 1);
  const int count = 3 + some(7);
  for (int i = 0; i < count; ++i) drawn.happenings.push_back(DrawHappening(random));
  std::ranges::sort(drawn.happenings, {}, [](const Happening& happening) {
    return std::pair(happening.at, happening.pick);
  });
  return drawn;
}

}  // namespace millwright::sim
