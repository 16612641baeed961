#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/yaml/number.h"
#include "kube/yaml/scalar.h"
#include "kube/yaml/utf8.h"
#include "kube/yaml/yaml.h"

namespace millwright::kube::yaml {

namespace json = boost::json;

namespace {

// Readers give up on longer keys unless they are announced with "? ".
constexpr std::size_t kMaxSimpleKey = 128;

bool IsPrintable(std::uint32_t code) {
  if (code < 0x20 || code == 0x7F) return false;
  if (code >= 0x80 && code < 0xA0) return false;
  return code != 0x2028 && code != 0x2029 && code != 0xFEFF && (code & 0xFFFEU) != 0xFFFE;
}

// What there is in a text that decides how it can be written; as libyaml analyses scalars.
struct Traits {
  bool newline = false;
  bool special = false;    // needs an escape
  bool indicator = false;  // would be taken for syntax
  bool space_before_break = false;
};

bool IsLeadingIndicator(std::string_view text) {
  if (text.starts_with("---") || text.starts_with("...")) return true;
  if (std::string_view("#,[]{}&*!|>'\"%@`").contains(text[0])) return true;
  const bool lone = text.size() == 1 || text[1] == ' ';
  return lone && std::string_view("-?:").contains(text[0]);
}

bool IsInnerIndicator(std::string_view text, std::size_t at) {
  if (text[at] == '#') return at > 0 && text[at - 1] == ' ';
  return text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n');
}

Traits Analyze(std::string_view text) {
  Traits traits;
  if (text.empty()) return {.indicator = true};
  traits.indicator = IsLeadingIndicator(text) || text.front() == ' ' || text.back() == ' ';
  for (std::size_t at = 0; at < text.size();) {
    const Character character = CharacterAt(text, at);
    if (character.code == '\n' && character.size == 1) {
      traits.newline = true;
      traits.space_before_break |= at > 0 && text[at - 1] == ' ';
    } else {
      traits.special |= character.size == 0 || !IsPrintable(character.code);
    }
    traits.indicator |= IsInnerIndicator(text, at);
    at += std::max<std::size_t>(character.size, 1);
  }
  return traits;
}

void AppendEscaped(std::uint32_t code, std::string& out) {
  switch (code) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const char* const pattern = code < 0x100     ? "\\x{:02X}"
                              : code < 0x10000 ? "\\u{:04X}"
                                               : "\\U{:08X}";
  out += fmt::format(fmt::runtime(pattern), code);
}

std::string DoubleQuoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Character character = CharacterAt(text, at);
    const std::size_t size = std::max<std::size_t>(character.size, 1);
    if (character.size == 0) {
      out += "\xEF\xBF\xBD";
    } else if (!IsPrintable(character.code) || character.code == '"' || character.code == '\\') {
      AppendEscaped(character.code, out);
    } else {
      out += text.substr(at, size);
    }
    at += size;
  }
  return out + "\"";
}

std::string SingleQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

// One line, as a value or a key.
std::string InlineText(std::string_view text, const Traits& traits) {
  if (traits.newline || traits.special || IsAmbiguous(text)) return DoubleQuoted(text);
  return traits.indicator ? SingleQuoted(text) : std::string(text);
}

// Several lines can stand as they are, unless the first is indented or a line ends in blanks.
bool CanBeLiteral(std::string_view text, const Traits& traits) {
  return traits.newline && !traits.special && !traits.space_before_break && text.front() != ' ' &&
         text.front() != '\n' && text.back() != ' ';
}

class Emitter {
 public:
  std::string Emit(const json::value& value) {
    EmitValue(value, 0, Place::kRoot);
    return std::move(out_);
  }

 private:
  enum class Place {
    kRoot,   // nothing stands before it
    kField,  // after "key:"
    kItem,   // after "- " or "? "
  };

  void EmitValue(const json::value& value, int indent, Place place);
  void EmitObject(const json::object& object, int indent, Place place);
  void EmitArray(const json::array& array, int indent, Place place);
  void EmitString(std::string_view text, int indent);
  void EmitField(std::string_view key, const json::value& value, int indent);
  void StartLine(int indent) { out_.append(static_cast<std::size_t>(indent), ' '); }
  void EmitInline(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }

  std::string out_;
};

void Emitter::EmitValue(const json::value& value, int indent, Place place) {
  const json::object* const object = value.if_object();
  const json::array* const array = value.if_array();
  if (object != nullptr && !object->empty()) return EmitObject(*object, indent, place);
  if (array != nullptr && !array->empty()) return EmitArray(*array, indent, place);
  if (place == Place::kField) out_ += ' ';
  switch (value.kind()) {
    case json::kind::object: return EmitInline("{}");
    case json::kind::array: return EmitInline("[]");
    case json::kind::null: return EmitInline("null");
    case json::kind::bool_: return EmitInline(value.get_bool() ? "true" : "false");
    case json::kind::int64: return EmitInline(std::to_string(value.get_int64()));
    case json::kind::uint64: return EmitInline(std::to_string(value.get_uint64()));
    case json::kind::string: return EmitString(value.get_string(), indent);
    case json::kind::double_: {
      const json::value number = NumberValue(value.get_double());
      return number.is_double() ? EmitInline(FloatText(number.get_double()))
                                : EmitValue(number, indent, Place::kItem);
    }
  }
}

void Emitter::EmitObject(const json::object& object, int indent, Place place) {
  std::vector<const json::key_value_pair*> fields;
  for (const json::key_value_pair& field : object) fields.push_back(&field);
  std::ranges::sort(fields, {}, [](const auto* field) { return std::string_view(field->key()); });
  if (place == Place::kField) out_ += '\n';
  bool started = place == Place::kItem;  // the first field goes on the line of its dash
  for (const json::key_value_pair* field : fields) {
    if (!started) StartLine(indent);
    started = false;
    EmitField(field->key(), field->value(), indent);
  }
}

void Emitter::EmitField(std::string_view key, const json::value& value, int indent) {
  const std::string text = key == "<<" ? DoubleQuoted(key) : InlineText(key, Analyze(key));
  if (text.size() > kMaxSimpleKey) {
    out_ += "? " + text + "\n";
    StartLine(indent);
  } else {
    out_ += text;
  }
  out_ += ':';
  // As kubectl does: the dashes of a list stand under the first letter of its key.
  EmitValue(value, value.is_array() ? indent : indent + 2, Place::kField);
}

void Emitter::EmitArray(const json::array& array, int indent, Place place) {
  if (place == Place::kField) out_ += '\n';
  bool started = place == Place::kItem;
  for (const json::value& item : array) {
    if (!started) StartLine(indent);
    started = false;
    out_ += "- ";
    EmitValue(item, indent + 2, Place::kItem);
  }
}

void Emitter::EmitString(std::string_view text, int indent) {
  const Traits traits = Analyze(text);
  if (!CanBeLiteral(text, traits)) return EmitInline(InlineText(text, traits));
  const bool ends_line = text.ends_with('\n');
  const bool keeps_more = text.ends_with("\n\n");
  EmitInline(keeps_more ? "|+" : ends_line ? "|" : "|-");
  const std::string_view body = ends_line ? text.substr(0, text.size() - 1) : text;
  for (std::size_t at = 0; at <= body.size();) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    if (end > at) StartLine(std::max(indent, 2));
    EmitInline(body.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

}  // namespace millwright::kube::yaml

namespace millwright::kube {

std::string ToYaml(const boost::json::value& value) { return yaml::Emitter().Emit(value); }

}  // namespace millwright::kube
