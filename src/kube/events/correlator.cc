#include "kube/events/correlator.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::kube {

namespace {

constexpr std::size_t kMaxMessage = 1024;
constexpr std::string_view kCombined = "(combined from similar events): ";

// At a character's boundary: half a character is not text, and the server would refuse it.
void CutMessage(std::string& message) {
  if (message.size() <= kMaxMessage) return;
  std::size_t end = kMaxMessage;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  message.resize(end);
}

std::string KindOf(const EventNote& note) {
  return (note.severity == EventSeverity::kNormal ? "N/" : "W/") + note.reason;
}

// Unique per object and time, as client-go names its Events.
std::string EventName(const ObjectReference& about, WallTime wall) {
  constexpr std::size_t kMaxStem = 253 - 17;
  std::string stem = about.key.name.substr(0, kMaxStem);
  while (stem.ends_with('-') || stem.ends_with('.')) stem.pop_back();  // where it was cut
  return fmt::format("{}.{:x}", stem, wall.time_since_epoch().count());
}

}  // namespace

Correlator::Subject& Correlator::SubjectOf(const ObjectReference& about) {
  const auto known = subjects_.find(about);
  if (known != subjects_.end()) {
    by_age_.splice(by_age_.end(), by_age_, known->second.age);
    return known->second;
  }
  if (subjects_.size() >= options_.capacity) {
    subjects_.erase(by_age_.front());
    by_age_.pop_front();
  }
  by_age_.push_back(about);
  const double rate = 1 / std::chrono::duration<double>(options_.refill).count();
  Subject fresh{.bucket = TokenBucket(rate, options_.burst_per_object),
                .recorded = {},
                .similar = {},
                .age = std::prev(by_age_.end())};
  return subjects_.emplace(about, std::move(fresh)).first->second;
}

void Correlator::Combine(Subject& subject, EventNote& note, SteadyTime now) const {
  Similar& similar = subject.similar[KindOf(note)];
  if (now - similar.since > options_.similar_window) similar = {.messages = {}, .since = now};
  const bool full = similar.messages.size() >= static_cast<std::size_t>(options_.similar_limit);
  if (!full) similar.messages.emplace(note.message, true);
  if (full && !similar.messages.contains(note.message)) {
    note.message.insert(0, kCombined);
    CutMessage(note.message);
  }
}

std::optional<EventWrite> Correlator::Add(EventNote note, SteadyTime now, WallTime wall) {
  CutMessage(note.message);
  Subject& subject = SubjectOf(note.about);
  if (!subject.bucket.TryTake(now)) return std::nullopt;
  Combine(subject, note, now);
  const bool combined = note.message.starts_with(kCombined);
  // What would be news again need not be remembered: an object may talk for months.
  std::erase_if(subject.recorded, [&](const auto& entry) {
    return now - entry.second.last > options_.similar_window;
  });
  // Combined Events share one record: each new text replaces the one before.
  Recorded& recorded = subject.recorded[KindOf(note) + "/" + (combined ? "" : note.message)];
  if (recorded.count == 0) {
    // Two at the same moment have two names: the second is not the first one's lost answer.
    last_name_ = std::max(wall, last_name_ + std::chrono::nanoseconds(1));
    recorded = {.name = EventName(note.about, last_name_), .count = 0, .first = wall, .last = now};
  }
  recorded.last = now;
  ++recorded.count;
  return EventWrite{.create = recorded.count == 1,
                    .name = recorded.name,
                    .note = std::move(note),
                    .count = recorded.count,
                    .first = recorded.first,
                    .last = wall};
}

void Correlator::Forget(const EventWrite& write) {
  const auto subject = subjects_.find(write.note.about);
  if (subject == subjects_.end()) return;
  std::erase_if(subject->second.recorded,
                [&](const auto& entry) { return entry.second.name == write.name; });
}

}  // namespace millwright::kube
