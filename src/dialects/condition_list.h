// The conditions of a node, or of a machine, of which very many are kept.
//
// All that are well say the same and differ only in when they came to be so. So their words are one
// list that they share, and the times stand beside it.
#pragma once

#include <compare>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/shared.h"
#include "core/model/condition.h"

namespace millwright::dialects {

class ConditionList {
 public:
  ConditionList() = default;
  // NOLINTBEGIN(google-explicit-constructor): a list on its own is one that nobody shares yet
  ConditionList(const std::vector<core::Condition>& list);
  ConditionList(std::initializer_list<core::Condition> list)
      : ConditionList(std::vector<core::Condition>(list)) {}
  // NOLINTEND(google-explicit-constructor)

  bool empty() const { return since_.empty(); }

  // As planners want them.
  std::vector<core::Condition> list() const;
  std::optional<core::Condition> Find(std::string_view type) const;

  friend bool operator==(const ConditionList&, const ConditionList&) = default;

 private:
  friend class ConditionPool;

  // A condition without its time.
  struct Words {
    Text type;
    Text status;
    Text reason;
    Text message;

    friend auto operator<=>(const Words&, const Words&) = default;
  };

  static std::vector<Words> WordsOf(const std::vector<core::Condition>& list);
  ConditionList(const std::vector<core::Condition>& list, Shared<std::vector<Words>> words);

  core::Condition At(std::size_t place) const;

  Shared<std::vector<Words>> words_;  // none: the list is empty
  std::vector<WallTime> since_;
};

class ConditionPool {
 public:
  ConditionList Share(const std::vector<core::Condition>& list);

 private:
  SharedPool<std::vector<ConditionList::Words>> words_;
};

}  // namespace millwright::dialects
