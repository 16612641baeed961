#include "tests/sim/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace millwright::sim {

std::vector<std::size_t> NeededParts(
    std::size_t whole, const std::function<bool(const std::vector<std::size_t>&)>& fails) {
  std::vector<std::size_t> kept(whole);
  std::iota(kept.begin(), kept.end(), 0);
  for (std::size_t size = std::max<std::size_t>(whole / 2, 1); size > 0; size /= 2) {
    bool again = true;
    while (again) {
      again = false;
      for (std::size_t at = 0; at < kept.size();) {
        std::vector<std::size_t> fewer(kept.begin(),
                                       kept.begin() + static_cast<std::ptrdiff_t>(at));
        const std::size_t end = std::min(at + size, kept.size());
        fewer.insert(fewer.end(), kept.begin() + static_cast<std::ptrdiff_t>(end), kept.end());
        if (fails(fewer)) {
          kept = std::move(fewer);
          // Single ones may have become needless by it.
          again = size == 1;
        } else {
          at += size;
        }
      }
    }
  }
  return kept;
}

namespace {

struct Piece {
  bool is_luck = false;
  std::uint64_t number = 0;
};

ChanceRun With(ChanceRun run, const std::vector<Piece>& pieces,
               const std::vector<std::size_t>& kept) {
  run.happenings.emplace();
  run.luck.emplace();
  for (const std::size_t index : kept) {
    const Piece& piece = pieces.at(index);
    (piece.is_luck ? run.luck : run.happenings)->insert(piece.number);
  }
  return run;
}

std::vector<std::string> Tell(const ChanceRun& run, const Outcome& outcome) {
  std::vector<std::string> lines;
  const Schedule schedule = DrawSchedule(run.seed, run.edition);
  for (const std::uint64_t number : *run.happenings) {
    lines.push_back(fmt::format("h{} {}", number, schedule.happenings.at(number).ToString()));
  }
  for (const Cluster::Luck& luck : outcome.luck) {
    lines.push_back(fmt::format("d{} {}", luck.draw, luck.what));
  }
  return lines;
}

}  // namespace

Minimized Minimize(const ChanceRun& run, const Outcome& outcome, int most_runs) {
  std::vector<Piece> pieces;
  const std::size_t happenings = DrawSchedule(run.seed, run.edition).happenings.size();
  for (std::uint64_t i = 0; i < happenings; ++i) {
    if (!run.happenings || run.happenings->contains(i)) pieces.push_back({.number = i});
  }
  for (const Cluster::Luck& luck : outcome.luck) {
    pieces.push_back({.is_luck = true, .number = luck.draw});
  }
  Minimized least{.run = run, .outcome = outcome};
  least.run.happenings.emplace();
  least.run.luck.emplace();
  for (const Piece& piece : pieces) {
    (piece.is_luck ? least.run.luck : least.run.happenings)->insert(piece.number);
  }
  NeededParts(pieces.size(), [&](const std::vector<std::size_t>& kept) {
    if (least.runs >= most_runs) return false;
    ++least.runs;
    const ChanceRun fewer = With(run, pieces, kept);
    Outcome tried = RunByChance(fewer);
    if (tried.violations.empty()) return false;
    least.run = fewer;
    least.outcome = std::move(tried);
    return true;
  });
  least.lines = Tell(least.run, least.outcome);
  return least;
}

std::string SelectionText(const ChanceRun& run) {
  if (!run.happenings && !run.luck) return "";
  std::string text;
  const auto add = [&](char kind, const std::optional<std::set<std::uint64_t>>& numbers) {
    if (!numbers) return;
    for (const std::uint64_t number : *numbers) {
      text += fmt::format("{}{}{}", text.empty() ? "" : ",", kind, number);
    }
  };
  add('h', run.happenings);
  add('d', run.luck);
  return text.empty() ? "none" : text;
}

void ReadSelection(const std::string& text, ChanceRun& run) {
  if (text.empty()) return;
  run.happenings.emplace();
  run.luck.emplace();
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.size() < 2 || word == "none") continue;
    (word[0] == 'd' ? run.luck : run.happenings)->insert(std::stoull(word.substr(1)));
  }
}

std::string ReplayCommand(const ChanceRun& run) {
  std::string text = fmt::format("build/tests/sim_run --from {} --seeds 1 --trace", run.seed);
  if (run.words != &GardenerWords()) text += fmt::format(" --dialect {}", run.words->name);
  if (run.edition != kNewestEdition) text += fmt::format(" --edition {}", run.edition);
  if (run.mutant != nullptr) text += fmt::format(" --mutant '{}'", run.mutant->name);
  const std::string selection = SelectionText(run);
  if (!selection.empty()) text += " --only " + selection;
  return text;
}

}  // namespace millwright::sim
