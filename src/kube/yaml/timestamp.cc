#include "kube/yaml/timestamp.h"

#include <cstddef>

namespace millwright::kube::yaml {

namespace {

// Takes what it reads off the front of the text; false leaves the rest unspecified.
bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool TakeNumber(std::string_view& text, std::size_t min_digits, std::size_t max_digits, int limit) {
  std::size_t size = 0;
  int number = 0;
  while (size < text.size() && size < max_digits && text[size] >= '0' && text[size] <= '9') {
    number = number * 10 + (text[size++] - '0');
  }
  text.remove_prefix(size);
  return size >= min_digits && number <= limit;
}

bool TakeField(std::string_view& text, char separator, int limit) {
  return Take(text, separator) && TakeNumber(text, 1, 2, limit);
}

bool TakeFraction(std::string_view& text) {
  if (!Take(text, '.')) return true;
  std::size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
  text.remove_prefix(size);
  return size > 0;
}

bool TakeZone(std::string_view& text) {
  if (Take(text, 'Z')) return true;
  if (!Take(text, '+') && !Take(text, '-')) return false;
  return TakeNumber(text, 2, 2, 24) && Take(text, ':') && TakeNumber(text, 2, 2, 60);
}

}  // namespace

bool IsTimestamp(std::string_view text) {
  if (!TakeNumber(text, 4, 4, 9999) || !TakeField(text, '-', 12) || !TakeField(text, '-', 31)) {
    return false;
  }
  if (text.empty()) return true;
  const bool zoned = text[0] == 'T' || text[0] == 't';
  if (!TakeField(text, zoned ? text[0] : ' ', 23) || !TakeField(text, ':', 59) ||
      !TakeField(text, ':', 59) || !TakeFraction(text)) {
    return false;
  }
  if (zoned && !TakeZone(text)) return false;
  return text.empty();
}

}  // namespace millwright::kube::yaml
