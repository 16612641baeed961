// Protobuf's wire format: a message is a row of numbered fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace millwright::apiserver::builtin {

enum class WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;      // of a number
  std::string_view bytes = "";  // of anything else; they live as long as the message
};

// Reads a message from front to back.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // The next field; none at the end. Fails with kInvalid if the bytes are no message. Groups, which
  // Kubernetes never used, are refused.
  Result<std::optional<WireField>> Next();

  bool AtEnd() const { return rest_.empty(); }
  Result<std::uint64_t> ReadVarint();

 private:
  Result<std::uint64_t> ReadFixed(std::size_t size);
  Result<std::string_view> ReadBytes();

  std::string_view rest_;
};

}  // namespace millwright::apiserver::builtin
