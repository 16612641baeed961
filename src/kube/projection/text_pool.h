// Texts that many objects have in common (the labels of all Nodes of a pool, the conditions of all
// healthy ones), kept once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace millwright::kube {

// A text from a pool. It stays valid without the pool.
class SharedText {
 public:
  SharedText() = default;

  std::string_view view() const { return text_ ? std::string_view(*text_) : std::string_view(); }
  bool empty() const { return view().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ || a.view() == b.view();
  }

 private:
  friend class TextPool;
  explicit SharedText(std::shared_ptr<const std::string> text) : text_(std::move(text)) {}

  std::shared_ptr<const std::string> text_;
};

class TextPool {
 public:
  SharedText Share(std::string_view text);

  // Texts that are kept; some of them may be used by nobody any more.
  std::size_t size() const { return texts_.size(); }

 private:
  using Text = std::shared_ptr<const std::string>;

  struct ByContent {
    using is_transparent = void;
    static std::string_view Of(std::string_view text) { return text; }
    static std::string_view Of(const Text& text) { return *text; }
    std::size_t operator()(const auto& a) const { return std::hash<std::string_view>()(Of(a)); }
    bool operator()(const auto& a, const auto& b) const { return Of(a) == Of(b); }
  };

  void DropUnused();

  std::unordered_set<Text, ByContent, ByContent> texts_;
  std::size_t look_at_ = 64;  // the size at which to look for texts that nobody uses
};

}  // namespace millwright::kube
