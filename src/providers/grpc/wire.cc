#include "providers/grpc/wire.h"

#include <optional>

namespace millwright::providers::grpc {

namespace {

enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// Takes from the front of `bytes`.
std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::optional<std::string_view> TakeBytes(std::string_view& bytes, std::uint64_t size) {
  if (size > bytes.size()) return std::nullopt;
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

std::optional<WireField> TakeField(std::string_view& bytes) {
  const auto tag = TakeVarint(bytes);
  if (!tag || *tag >> 3U == 0 || *tag >> 32U != 0) return std::nullopt;
  WireField field{.number = static_cast<std::uint32_t>(*tag >> 3U)};
  std::optional<std::uint64_t> size;
  switch (*tag & 7U) {
    case kVarint: {
      const auto value = TakeVarint(bytes);
      if (!value) return std::nullopt;
      field.value = *value;
      return field;
    }
    case kFixed64: size = 8; break;
    case kFixed32: size = 4; break;
    case kBytes:
      field.is_bytes = true;
      size = TakeVarint(bytes);
      break;
    default: return std::nullopt;  // groups, which nobody sends any more
  }
  const auto taken = size ? TakeBytes(bytes, *size) : std::nullopt;
  if (!taken) return std::nullopt;
  if (field.is_bytes) field.bytes = *taken;
  return field;
}

}  // namespace

void WireWriter::Varint(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) out_ += static_cast<char>(number | 0x80U);
  out_ += static_cast<char>(number);
}

void WireWriter::Text(std::uint32_t field, std::string_view text) {
  if (!text.empty()) Item(field, text);
}

void WireWriter::Number(std::uint32_t field, std::uint64_t number) {
  if (number == 0) return;
  Varint(std::uint64_t{field} << 3U | kVarint);
  Varint(number);
}

void WireWriter::Item(std::uint32_t field, std::string_view bytes) {
  Varint(std::uint64_t{field} << 3U | kBytes);
  Varint(bytes.size());
  out_ += bytes;
}

void WireWriter::SecretMap(std::uint32_t field, const std::map<std::string, SecretText>& secrets) {
  for (const auto& [key, value] : secrets) {
    WireWriter entry;
    entry.Item(1, key);
    entry.Item(2, value.Reveal());
    Message(field, entry);
  }
}

Result<std::vector<WireField>> ReadFields(std::string_view message) {
  std::vector<WireField> fields;
  while (!message.empty()) {
    const auto field = TakeField(message);
    if (!field) return Fail(ErrorKind::kInternal, "damaged message");
    fields.push_back(*field);
  }
  return fields;
}

Result<std::vector<std::uint64_t>> ReadNumbers(std::string_view packed) {
  std::vector<std::uint64_t> numbers;
  while (!packed.empty()) {
    const auto number = TakeVarint(packed);
    if (!number) return Fail(ErrorKind::kInternal, "damaged list of numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace millwright::providers::grpc
