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
  explicit SecretText(std::string value) : value_(std::move(value)) {}
  SecretText(const SecretText&) = default;
  SecretText& operator=(const SecretText& other) {
    if (this != &other) {
      Wipe();
      value_ = other.value_;
    }
    return *this;
  }
  SecretText(SecretText&& other) noexcept : value_(std::move(other.value_)) { other.Wipe(); }
  SecretText& operator=(SecretText&& other) noexcept {
    if (this != &other) {
      Wipe();
      value_ = std::move(other.value_);
      other.Wipe();
    }
    return *this;
  }
  ~SecretText() { Wipe(); }

  // The one way to the text; the name makes each use easy to find in review.
  const std::string& Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }

  friend bool operator==(const SecretText&, const SecretText&) = default;

 private:
  void Wipe() {
    OPENSSL_cleanse(value_.data(), value_.size());
    value_.clear();
  }

  std::string value_;
};

}  // namespace millwright
