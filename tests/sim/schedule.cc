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
  int edition = 1;  // the first one that has it
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
    Row{What::kHeldBack, "deployment paused", 3, 300s, 0, 0, 2},
    Row{What::kNodeDeleted, "node deleted", 3, 0s, 0, 0, 2},
    Row{What::kBudgetShut, "no pod may be evicted", 3, 600s, 0, 0, 2},
    Row{What::kVmFlaps, "VM switched off", 4, 900s, 0, 0, 2},
    Row{What::kCreatesDouble, "creates make two VMs", 2, 120s, 0, 0, 2},
    Row{What::kCloudAway, "cloud away", 5, 600s, 0, 0, 2},
    Row{What::kCloudForbids, "cloud refuses us", 2, 3600s, 0, 0, 2},
    Row{What::kCloudMute, "answers of the cloud lost", 6, 300s, 0, 0, 2},
    Row{What::kUnheard, "machine deleted at the end of lost answers of the cloud, from 0s", 4, 300s,
        0, 0, 2},
    Row{What::kWatchesMerged, "watches delayed and merged", 4, 120s, 0, 0, 2},
    Row{What::kHistoryGone, "watches cut and history gone", 4, 0s, 0, 0, 2},
    Row{What::kConflicts, "every other write conflicts", 3, 600s, 0, 0, 2},
    Row{What::kAncientRestart, "restarted with a view so many versions old:", 5, 60s, 60, 240, 2},
    Row{What::kDaysOff, "calendar wrong by days:", 1, 300s, -1, 1, 2},
    Row{What::kRemade, "deployment deleted and made again", 6, 0s, 0, 0, 3},
    Row{What::kHalfDone, "calls of the cloud fail half-way", 5, 300s, 0, 0, 3},
};

const Row& RowOf(What what) { return *std::ranges::find(kRows, what, &Row::what); }

Happening DrawHappening(SeededRandom& random, int edition) {
  int all = 0;
  // Later editions come behind, so `row` below does not run into them.
  for (const Row& row : kRows) all += row.edition <= edition ? row.weight : 0;
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
  if (drawn.what == What::kUnheard) drawn.at = {};
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

Schedule DrawSchedule(std::uint64_t seed, int edition) {
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
  drawn.faults.chances.varied = edition >= 2;
  drawn.faults.restart_after = std::chrono::seconds(some(60));
  drawn.replicas = 1 + some(3);
  drawn.surge = some(2);
  drawn.unavailable = some(1);
  drawn.pods = some(4);
  drawn.least_pods = std::max(0, drawn.pods - 1);
  const int count = 3 + some(7);
  for (int i = 0; i < count; ++i) drawn.happenings.push_back(DrawHappening(random, edition));
  std::ranges::sort(drawn.happenings, {}, [](const Happening& happening) {
    return std::pair(happening.at, happening.pick);
  });
  return drawn;
}

}  // namespace millwright::sim
