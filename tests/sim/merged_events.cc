#include "tests/sim/merged_events.h"

#include <boost/json.hpp>

#include <set>
#include <vector>

#include "tests/faults/stream_text.h"
#include "tests/sim/facts.h"

namespace millwright::sim {

namespace {

// The object's name; empty for a bookmark, or what is no event.
std::string SubjectOf(std::string_view line) {
  boost::system::error_code error;
  const boost::json::value event = boost::json::parse(line, error);
  if (error || TextAt(event, "/type") == "BOOKMARK") return {};
  const std::string name = TextAt(event, "/object/metadata/name");
  return name.empty() ? name : TextAt(event, "/object/metadata/namespace") + "/" + name;
}

}  // namespace

std::string OnlyLastEvents(std::string_view lines) {
  const std::vector<std::string_view> whole = faults::WholeLines(lines);
  std::set<std::string> told;
  std::vector<std::string_view> kept;
  for (std::size_t i = whole.size(); i-- > 0;) {
    const std::string subject = SubjectOf(whole[i]);
    if (subject.empty()) told.clear();
    if (subject.empty() || told.insert(subject).second) kept.push_back(whole[i]);
  }
  std::string merged;
  for (std::size_t i = kept.size(); i-- > 0;) merged += kept[i];
  return merged.append(lines.substr(lines.rfind('\n') + 1));
}

}  // namespace millwright::sim
