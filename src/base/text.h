// A text that never changes and whose copies share its bytes.
//
// One pointer wide, so that what is kept by the ten thousands (labels, conditions, names) costs
// little where it is and nothing more where it is the same (kube/projection/text_pool.h).
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace millwright {

class Text {
 public:
  Text() = default;
  // NOLINTBEGIN(google-explicit-constructor): a text is a text, whoever holds it
  Text(std::string_view text) : body_(Body::Make(text)) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }
  // NOLINTEND(google-explicit-constructor)

  Text(const Text& other) noexcept : body_(other.body_) {
    if (body_ != nullptr) body_->users.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Text& operator=(Text other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~Text() {
    if (body_ != nullptr) Body::Drop(body_);
  }

  // Valid as long as any copy is.
  std::string_view view() const {
    return body_ != nullptr ? std::string_view(body_->bytes(), body_->size) : std::string_view();
  }
  std::string str() const { return std::string(view()); }
  bool empty() const { return body_ == nullptr; }
  std::size_t size() const { return view().size(); }

  // How many copies there are.
  std::uint32_t users() const {
    return body_ != nullptr ? body_->users.load(std::memory_order_relaxed) : 0;
  }

  friend bool operator==(const Text& a, const Text& b) {
    return a.body_ == b.body_ || a.view() == b.view();
  }
  friend std::strong_ordering operator<=>(const Text& a, const Text& b) {
    return a.body_ == b.body_ ? std::strong_ordering::equal : a.view() <=> b.view();
  }
  friend bool operator==(const Text& a, std::string_view b) { return a.view() == b; }
  friend auto operator<=>(const Text& a, std::string_view b) { return a.view() <=> b; }
  friend bool operator==(const Text& a, const std::string& b) { return a.view() == b; }
  friend bool operator==(const Text& a, const char* b) { return a.view() == b; }

 private:
  // The bytes follow it. None for an empty text.
  struct Body {
    static Body* Make(std::string_view text);
    static void Drop(Body* body) noexcept;
    char* bytes() { return reinterpret_cast<char*>(this + 1); }

    std::atomic<std::uint32_t> users;
    std::uint32_t size;
  };

  Body* body_ = nullptr;
};

}  // namespace millwright

template <>
struct std::hash<millwright::Text> {
  std::size_t operator()(const millwright::Text& text) const noexcept {
    return std::hash<std::string_view>{}(text.view());
  }
};

template <>
struct fmt::formatter<millwright::Text> : fmt::formatter<std::string_view> {
  auto format(const millwright::Text& text, format_context& context) const {
    return formatter<std::string_view>::format(text.view(), context);
  }
};
