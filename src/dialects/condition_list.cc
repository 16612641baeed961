#include "dialects/condition_list.h"

namespace millwright::dialects {

std::vector<ConditionList::Words> ConditionList::WordsOf(const std::vector<core::Condition>& list) {
  std::vector<Words> words;
  words.reserve(list.size());
  for (const core::Condition& one : list) {
    words.push_back({one.type, one.status, one.reason, one.message});
  }
  return words;
}

ConditionList::ConditionList(const std::vector<core::Condition>& list,
                             Shared<std::vector<Words>> words)
    : words_(std::move(words)) {
  since_.reserve(list.size());
  for (const core::Condition& one : list) since_.push_back(one.since);
}

ConditionList::ConditionList(const std::vector<core::Condition>& list) {
  if (!list.empty()) *this = ConditionList(list, WordsOf(list));
}

core::Condition ConditionList::At(std::size_t place) const {
  const Words& words = (*words_)[place];
  return {.type = words.type,
          .status = words.status,
          .since = since_[place],
          .reason = words.reason,
          .message = words.message};
}

std::vector<core::Condition> ConditionList::list() const {
  std::vector<core::Condition> list;
  list.reserve(since_.size());
  for (std::size_t place = 0; place < since_.size(); ++place) list.push_back(At(place));
  return list;
}

std::optional<core::Condition> ConditionList::Find(std::string_view type) const {
  for (std::size_t place = 0; place < since_.size(); ++place) {
    if ((*words_)[place].type == type) return At(place);
  }
  return std::nullopt;
}

ConditionList ConditionPool::Share(const std::vector<core::Condition>& list) {
  if (list.empty()) return {};
  return {list, words_.Share(ConditionList::WordsOf(list))};
}

}  // namespace millwright::dialects
