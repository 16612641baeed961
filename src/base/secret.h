// Text that must not be printed.
#pragma once

#include <openssl/crypto.h>

#include <string>
#include <utility>

namespace millwright {

// Holds a token, password or key. Cannot be formatted or streamed, and is wiped when it goes.
class SecretText {
 public:
  SecretText() = default;
  explicit SecretText(std::string value) : value_(std::move(value)) { Wipe(value); }
  SecretText(const SecretText&) = default;
  SecretText& operator=(const SecretText& other) {
    if (this != &other) {
      Wipe(value_);
      value_ = other.value_;
    }
    return *this;
  }
  SecretText(SecretText&& other) noexcept : value_(std::move(other.value_)) { Wipe(other.value_); }
  SecretText& operator=(SecretText&& other) noexcept {
    if (this != &other) {
      Wipe(value_);
      value_ = std::move(other.value_);
      Wipe(other.value_);
    }
    return *this;
  }
  ~SecretText() { Wipe(value_); }

  // The one way to the text; the name makes each use easy to find in review.
  const std::string& Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }

  friend bool operator==(const SecretText&, const SecretText&) = default;

 private:
  // All that it has room for: a short text that was moved away is still there.
  static void Wipe(std::string& text) {
    text.resize(text.capacity());
    OPENSSL_cleanse(text.data(), text.size());
    text.clear();
  }

  std::string value_;
};

}  // namespace millwright
