// Rollouts that another implementation recorded, played again with our planner and compared line by
// line. The records are not part of this repository: MILLWRIGHT_ROLLOUT_GOLDENS names their folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/goldens/scenario.h"
#include "tests/goldens/simulation.h"

namespace millwright::goldens {
namespace {

namespace fs = std::filesystem;

fs::path Folder() {
  if (const char* named = std::getenv("MILLWRIGHT_ROLLOUT_GOLDENS")) return named;
  return fs::path(MILLWRIGHT_SOURCE_DIR) / "../shared/upstream/cluster-api/rollout-goldens";
}

std::vector<fs::path> Records() {
  std::vector<fs::path> records;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(Folder(), error)) {
    if (entry.path().extension() == ".golden") records.push_back(entry.path());
  }
  std::sort(records.begin(), records.end());
  return records;
}

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Records made with controllers in random order replay another program's random numbers; we cannot.
bool IsDeterministic(const std::string& record) {
  return record.find("random(") == std::string::npos;
}

// The first line in which they differ, with the lines before it; a whole diff would be pages.
void ExpectSameLines(const std::string& want, const std::string& got) {
  std::istringstream wanted(want);
  std::istringstream given(got);
  std::string a;
  std::string b;
  for (int line = 1;; ++line) {
    const bool more_wanted = static_cast<bool>(std::getline(wanted, a));
    const bool more_given = static_cast<bool>(std::getline(given, b));
    if (!more_wanted && !more_given) return;
    ASSERT_EQ(more_wanted ? a : "(end)", more_given ? b : "(end)") << "in line " << line;
  }
}

TEST(RolloutGoldens, OurPlannerComesToTheSameLines) {
  const std::vector<fs::path> records = Records();
  if (records.empty()) GTEST_SKIP() << "no rollout records in " << Folder().lexically_normal();
  for (const fs::path& path : records) {
    SCOPED_TRACE(path.filename().string());
    const std::string want = ReadFile(path);
    if (!IsDeterministic(want)) continue;
    const auto scenario = ParseScenario(want);
    ASSERT_TRUE(scenario) << scenario.error().message();
    ExpectSameLines(want, Simulation(*scenario).Run());
  }
}

}  // namespace
}  // namespace millwright::goldens
