// Whatever a provider answers is read or refused, and what was read is fit for an object.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "providers/grpc/messages.h"
#include "providers/grpc/status.h"

using namespace millwright;
using namespace millwright::providers::grpc;

namespace {

void Check(const providers::Instance& instance) {
  const bool whole = instance.pending || !instance.id.empty();
  if (!whole) std::abort();
}

void Decode(std::string_view message) {
  if (const auto created = DecodeCreated(message, "m")) Check(*created);
  if (const auto found = DecodeInstance(message, "m")) Check(*found);
  if (const auto page = DecodePage(message)) {
    for (const providers::Instance& instance : page->instances) Check(instance);
  }
  if (const auto again = DecodeDeleted(message); again && *again) {
    if (**again <= Duration::zero()) std::abort();
  }
  static_cast<void>(DecodeInfo(message));
  static_cast<void>(DecodeAbilities(message));
  static_cast<void>(DecodeVolumeIds(message));
  static_cast<void>(DecodeRemembered(message));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Decode(input);
  const std::size_t cut = input.find('\n');
  const std::string words(input.substr(0, cut));
  const net::HttpResponse answer{
      .status = 200,
      .headers = {{"content-type", "application/grpc"},
                  {"grpc-status", size % 2 == 0 ? "0" : "5"},
                  {"grpc-message", words},
                  {"grpc-status-details-bin", words}},
      .body = cut == input.npos ? std::string() : std::string(input.substr(cut + 1))};
  const auto read = ReadAnswer(answer);
  if (!read && !providers::CodeOf(read.error())) std::abort();
  return 0;
}
