#include "base/text.h"

#include <cstring>
#include <new>

namespace millwright {

Text::Body* Text::Body::Make(std::string_view text) {
  if (text.empty()) return nullptr;
  void* const room = ::operator new(sizeof(Body) + text.size());
  Body* const body = new (room) Body{.users = 1, .size = static_cast<std::uint32_t>(text.size())};
  std::memcpy(body->bytes(), text.data(), text.size());
  return body;
}

void Text::Body::Drop(Body* body) noexcept {
  if (body->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  body->~Body();
  ::operator delete(body);
}

}  // namespace millwright
