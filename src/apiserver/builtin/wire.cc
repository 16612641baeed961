#include "apiserver/builtin/wire.h"

#include <fmt/format.h>

namespace millwright::apiserver::builtin {

namespace {

constexpr std::uint64_t kMaxFieldNumber = (1U << 29U) - 1;

Failure EndsTooEarly() { return Fail(ErrorKind::kInvalid, "proto: unexpected end of the message"); }

}  // namespace

Result<std::uint64_t> WireReader::ReadVarint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return EndsTooEarly();
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80U) return value;
  }
  return Fail(ErrorKind::kInvalid, "proto: integer overflow");
}

Result<std::uint64_t> WireReader::ReadFixed(std::size_t size) {
  if (rest_.size() < size) return EndsTooEarly();
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8U * i);
  }
  rest_.remove_prefix(size);
  return value;
}

Result<std::string_view> WireReader::ReadBytes() {
  TRY(const std::uint64_t size, ReadVarint());
  if (size > rest_.size()) return EndsTooEarly();
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

Result<std::optional<WireField>> WireReader::Next() {
  if (rest_.empty()) return std::nullopt;
  TRY(const std::uint64_t tag, ReadVarint());
  const std::uint64_t number = tag >> 3U;
  if (number == 0 || number > kMaxFieldNumber) {
    return Fail(ErrorKind::kInvalid, fmt::format("proto: illegal tag {}", number));
  }
  WireField field{.number = static_cast<std::uint32_t>(number)};
  switch (tag & 7U) {
    case 0: {
      TRY(field.value, ReadVarint());
      break;
    }
    case 1: {
      field.type = WireType::kFixed64;
      TRY(field.value, ReadFixed(8));
      break;
    }
    case 2: {
      field.type = WireType::kBytes;
      TRY(field.bytes, ReadBytes());
      break;
    }
    case 5: {
      field.type = WireType::kFixed32;
      TRY(field.value, ReadFixed(4));
      break;
    }
    default: return Fail(ErrorKind::kInvalid, fmt::format("proto: illegal wireType {}", tag & 7U));
  }
  return field;
}

}  // namespace millwright::apiserver::builtin
