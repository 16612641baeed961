#include "kube/projection/text_pool.h"

#include <algorithm>

namespace millwright::kube {

Text TextPool::Share(std::string_view text) {
  if (text.empty()) return {};
  const auto known = texts_.find(text);
  if (known != texts_.end()) return *known;
  if (texts_.size() >= look_at_) DropUnused();
  return *texts_.emplace(text).first;
}

// Only when their number has doubled since, so each text pays for being looked at once or twice.
void TextPool::DropUnused() {
  boost::unordered::erase_if(texts_, [](const Text& text) { return text.users() == 1; });
  look_at_ = std::max<std::size_t>(64, 2 * texts_.size());
}

namespace {

// None: it is null.
Result<std::optional<std::string_view>> Given(JsonValue value) {
  if (IsNull(value)) return std::nullopt;
  std::string_view text;
  if (value.get_string().get(text)) return Fail(ErrorKind::kInvalid, "is not text");
  return text;
}

}  // namespace

Result<void> ReadInto(JsonValue value, Text& target) {
  TRY(const auto text, Given(value));
  if (text) target = *text;
  return {};
}

Result<void> ReadInto(JsonValue value, TextPool& pool, Text& target) {
  TRY(const auto text, Given(value));
  if (text) target = pool.Share(*text);
  return {};
}

}  // namespace millwright::kube
