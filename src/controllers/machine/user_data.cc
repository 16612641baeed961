#include "controllers/machine/user_data.h"

namespace millwright::controllers {

namespace {

// Letters, digits and -._~ stay; nothing else needs to in names and tokens.
std::string EscapeUrl(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      escaped += c;
    } else {
      escaped += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return escaped;
}

bool ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  bool found = false;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
    found = true;
  }
  return found;
}

void Fill(std::string& text, std::string_view place, const std::string& value) {
  if (ReplaceAll(text, place, value)) return;
  ReplaceAll(text, EscapeUrl(place), EscapeUrl(value));
}

}  // namespace

SecretText FillUserData(const SecretText& text, const UserDataValues& values) {
  std::string filled = text.Reveal();
  if (values.token) Fill(filled, "<<BOOTSTRAP_TOKEN>>", values.token->Reveal());
  Fill(filled, "<<MACHINE_NAME>>", values.machine);
  return SecretText(std::move(filled));
}

}  // namespace millwright::controllers
