// Texts that many objects have in common (the labels of all Nodes of a pool, the conditions of all
// healthy ones), kept once.
#pragma once

#include <cstddef>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/text.h"
#include "kube/projection/json_reader.h"

namespace millwright::kube {

// A text from a pool. It stays valid without the pool.
using SharedText = Text;

class TextPool {
 public:
  Text Share(std::string_view text);

  // Texts that are kept; some of them may be used by nobody any more.
  std::size_t size() const { return texts_.size(); }

 private:
  struct ByContent {
    using is_transparent = void;
    std::size_t operator()(std::string_view a) const { return std::hash<std::string_view>()(a); }
    bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  };

  void DropUnused();

  boost::unordered_flat_set<Text, ByContent, ByContent> texts_;
  std::size_t look_at_ = 64;  // the size at which to look for texts that nobody uses
};

// A text on its own, or shared with whoever has the same.
Result<void> ReadInto(JsonValue value, Text& target);
Result<void> ReadInto(JsonValue value, TextPool& pool, Text& target);

}  // namespace millwright::kube
