// Writes protobuf messages, field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace millwright::apiserver::openapi {

class ProtobufWriter {
 public:
  // Empty text and zero are what readers assume; like Go, we leave them out.
  void Text(std::uint32_t field, std::string_view text) {
    if (!text.empty()) Bytes(field, text);
  }
  void Flag(std::uint32_t field, bool flag) {
    if (flag) Number(field, 1);
  }
  void Number(std::uint32_t field, std::int64_t number) {
    if (number == 0) return;
    Tag(field, kVarint);
    Varint(static_cast<std::uint64_t>(number));
  }
  void Double(std::uint32_t field, double number) {
    if (number == 0) return;
    Tag(field, kFixed64);
    auto bits = std::bit_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8U) out_ += static_cast<char>(bits & 0xFFU);
  }
  // Also if it is empty: that it is there says something.
  void Message(std::uint32_t field, const ProtobufWriter& message) { Bytes(field, message.out_); }
  void Item(std::uint32_t field, std::string_view text) { Bytes(field, text); }

  const std::string& text() const& { return out_; }
  std::string text() && { return std::move(out_); }

 private:
  static constexpr std::uint32_t kVarint = 0;
  static constexpr std::uint32_t kFixed64 = 1;
  static constexpr std::uint32_t kLengthDelimited = 2;

  void Tag(std::uint32_t field, std::uint32_t type) { Varint(std::uint64_t{field} << 3U | type); }
  void Varint(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) out_ += static_cast<char>(number | 0x80U);
    out_ += static_cast<char>(number);
  }
  void Bytes(std::uint32_t field, std::string_view bytes) {
    Tag(field, kLengthDelimited);
    Varint(bytes.size());
    out_ += bytes;
  }

  std::string out_;
};

}  // namespace millwright::apiserver::openapi
