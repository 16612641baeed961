// Messages of protobuf as bytes, field by field. Pure.
//
// By hand and not by protoc: the messages are few and small, secrets go straight from our types
// into the request, and neither a code generator nor a library of megabytes is needed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace millwright::providers::grpc {

class WireWriter {
 public:
  // What readers assume anyway is left out: empty text and zero.
  void Text(std::uint32_t field, std::string_view text);
  void Number(std::uint32_t field, std::uint64_t number);
  // An item of a repeated field is written also if it is empty.
  void Item(std::uint32_t field, std::string_view bytes);
  void Message(std::uint32_t field, const WireWriter& message) { Item(field, message.out_); }
  void SecretMap(std::uint32_t field, const std::map<std::string, SecretText>& secrets);

  std::string Take() && { return std::move(out_); }

 private:
  void Varint(std::uint64_t number);

  std::string out_;
};

struct WireField {
  std::uint32_t number = 0;
  bool is_bytes = false;     // else a number
  std::uint64_t value = 0;   // of a number
  std::string_view bytes{};  // text, bytes or a message; points into what was read
};

// The fields in their order, those of unknown numbers too. kInternal if it is no message.
Result<std::vector<WireField>> ReadFields(std::string_view message);

// The numbers of a list that is packed into one field.
Result<std::vector<std::uint64_t>> ReadNumbers(std::string_view packed);

}  // namespace millwright::providers::grpc
