#include "dialects/gardener/state_note.h"

#include <boost/json/serialize.hpp>

#include "dialects/gardener/words.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {
namespace {

constexpr size_t kMostBytes = 1024;

}  // namespace

StateNote ParseStateNote(std::string_view text) {
  StateNote note;
  if (text.empty() || text.size() > kMostBytes) return note;
  const auto parsed = kube::ParseJson(text);
  if (!parsed) return note;
  const std::int64_t floor = kube::GetInt(*parsed, "nameFloor");
  if (floor > 0 && floor <= UINT32_MAX) note.name_floor = static_cast<std::uint32_t>(floor);
  const std::string_view before = kube::GetString(*parsed, "phaseBeforeDeletion");
  if (!before.empty()) note.before = ParsePhase(before);
  return note;
}

std::string StateNoteText(const StateNote& note) {
  boost::json::object object;
  if (note.name_floor != 0) object["nameFloor"] = note.name_floor;
  if (note.before) object["phaseBeforeDeletion"] = PhaseText(*note.before);
  return boost::json::serialize(object);
}

}  // namespace millwright::dialects::gardener
