#include "tests/sim/stream_text.h"

#include <boost/json.hpp>

#include <set>
#include <vector>

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

std::string EachLineTwice(const std::string& piece, std::string& tail) {
  tail += piece;
  std::string doubled;
  std::size_t begin = 0;
  for (std::size_t end = tail.find('\n'); end != std::string::npos; end = tail.find('\n', begin)) {
    const std::string line = tail.substr(begin, end + 1 - begin);
    doubled += line + line;
    begin = end + 1;
  }
  tail.erase(0, begin);
  return doubled;
}

std::string OnlyLastEvents(std::string_view lines) {
  std::vector<std::string_view> whole;
  std::size_t begin = 0;
  for (std::size_t end = lines.find('\n'); end != std::string::npos;
       end = lines.find('\n', begin)) {
    whole.push_back(lines.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  std::set<std::string> told;
  std::vector<std::string_view> kept;
  for (std::size_t i = whole.size(); i-- > 0;) {
    const std::string subject = SubjectOf(whole[i]);
    if (subject.empty()) told.clear();
    if (subject.empty() || told.insert(subject).second) kept.push_back(whole[i]);
  }
  std::string merged;
  for (std::size_t i = kept.size(); i-- > 0;) merged += kept[i];
  return merged.append(lines.substr(begin));
}

}  // namespace millwright::sim
