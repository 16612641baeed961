#include "kube/projection/text_pool.h"

#include <algorithm>

namespace millwright::kube {

SharedText TextPool::Share(std::string_view text) {
  if (text.empty()) return {};
  const auto known = texts_.find(text);
  if (known != texts_.end()) return SharedText(*known);
  if (texts_.size() >= look_at_) DropUnused();
  return SharedText(*texts_.insert(std::make_shared<const std::string>(text)).first);
}

// Only when their number has doubled since, so each text pays for being looked at once or twice.
void TextPool::DropUnused() {
  std::erase_if(texts_, [](const Text& text) { return text.use_count() == 1; });
  look_at_ = std::max<std::size_t>(64, 2 * texts_.size());
}

}  // namespace millwright::kube
