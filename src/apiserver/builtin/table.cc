#include "apiserver/builtin/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/builtin/kinds_text.h"

namespace millwright::apiserver::builtin {

namespace {

constexpr std::array<std::pair<std::string_view, TypeShape>, 17> kLeaves = {{
    {"string", TypeShape::kString},
    {"bool", TypeShape::kBool},
    {"int32", TypeShape::kInt32},
    {"int64", TypeShape::kInt64},
    {"float64", TypeShape::kDouble},
    {"[]byte", TypeShape::kBytes},
    {"meta.v1.Time", TypeShape::kTime},
    {"meta.v1.MicroTime", TypeShape::kMicroTime},
    {"meta.v1.Duration", TypeShape::kDuration},
    {"meta.v1.FieldsV1", TypeShape::kFieldsV1},
    {"resource.Quantity", TypeShape::kQuantity},
    {"intstr.IntOrString", TypeShape::kIntOrString},
    {"runtime.RawExtension", TypeShape::kRawExtension},
    {"apiextensions.v1.JSON", TypeShape::kJson},
    {"apiextensions.v1.JSONSchemaPropsOrArray", TypeShape::kSchemaOrArray},
    {"apiextensions.v1.JSONSchemaPropsOrBool", TypeShape::kSchemaOrBool},
    {"apiextensions.v1.JSONSchemaPropsOrStringArray", TypeShape::kSchemaOrStrings},
}};

[[noreturn]] void Bad(std::string_view what) {
  throw std::logic_error("kinds.txt: " + std::string(what));
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::uint32_t Number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) Bad(text);
  return number;
}

void SetListType(std::string_view text, Field& field) {
  if (text == "atomic") {
    field.list_type = kube::ListType::kAtomic;
  } else if (text == "set") {
    field.list_type = kube::ListType::kSet;
  } else if (TakePrefix(text, "map(") && text.ends_with(')')) {
    field.list_type = kube::ListType::kMap;
    field.list_map_keys = Split(text.substr(0, text.size() - 1), ',');
  } else {
    Bad(text);
  }
}

void SetWord(std::string_view word, Field& field) {
  if (word == "omitempty") {
    field.omit_empty = true;
  } else if (word == "omitzero") {
    field.omit_zero = true;
  } else if (word == "required") {
    field.required = true;
  } else if (word == "inline") {
    field.inlined = true;
  } else if (TakePrefix(word, "list=")) {
    SetListType(word, field);
  } else if (TakePrefix(word, "map=")) {
    field.map_type = word == "atomic" ? kube::MapType::kAtomic : kube::MapType::kGranular;
  } else if (TakePrefix(word, "enum=")) {
    field.choices = Split(word, '|');
  } else if (TakePrefix(word, "items=")) {
    field.item_choices = Split(word, '|');
  } else if (TakePrefix(word, "default=")) {
    field.default_value = boost::json::parse(boost::json::string_view(word));
  } else {
    Bad(word);
  }
}

}  // namespace

Table::Table(std::string_view text) {
  for (const auto line : Split(text, '\n')) {
    if (!line.starts_with('#')) ReadLine(line);
  }
  for (auto& type : types_) {
    if (type.shape == TypeShape::kStruct && type.name.find('.') == std::string_view::npos) {
      Bad(type.name);
    }
    const bool nested = std::ranges::any_of(type.fields, [](const Field& field) {
      return field.inlined && std::ranges::any_of(field.type->fields, &Field::inlined);
    });
    if (nested) Bad(type.name);  // there is none so far, and messages would have to say more
    type.Complete();
  }
}

void Table::ReadLine(std::string_view line) {
  if (TakePrefix(line, "  ")) return ReadField(Split(line, ' '));
  const auto words = Split(line, ' ');
  if (words.size() < 2) Bad(line);
  if (words[0] == "kind") {
    ReadKind(words.at(1), words.at(2), words.at(3));
  } else if (words[0] == "struct") {
    struct_ = &Named(words[1]);
    struct_->is_atomic = words.size() > 2;
  } else if (words[0] == "alias") {
    Type& type = Named(words[1]);
    const Type& meaning = Named(words.at(2));
    type.shape = meaning.shape;
    type.element = meaning.element;
    type.is_message = words.size() > 3;
  } else if (words[0] == "special") {
    if (Named(words[1]).shape == TypeShape::kStruct) Bad(line);
  } else {
    Bad(line);
  }
}

void Table::ReadKind(std::string_view api_version, std::string_view kind,
                     std::string_view type_name) {
  const Type& type = Named(type_name);
  if (api_version == "*") {
    of_every_group_.emplace(kind, &type);
    return;
  }
  const auto parsed = kube::ParseGroupVersionKind(api_version, kind);
  if (!parsed) Bad(api_version);
  kinds_.push_back(*parsed);
  by_kind_.emplace(*parsed, &type);
}

void Table::ReadField(const std::vector<std::string_view>& words) {
  if (struct_ == nullptr || words.size() < 3) Bad("a field without a struct or a type");
  Field field{.name = words[0], .number = Number(words[1]), .type = &Named(words[2])};
  for (std::size_t i = 3; i < words.size(); ++i) SetWord(words[i], field);
  struct_->fields.push_back(std::move(field));
}

Type& Table::Named(std::string_view expression) {
  const auto known = by_name_.find(expression);
  if (known != by_name_.end()) return *known->second;

  Type& type = types_.emplace_back(Type{.name = expression, .shape = TypeShape::kStruct});
  by_name_.emplace(expression, &type);
  for (const auto& [name, shape] : kLeaves) {
    if (name == expression) {
      type.shape = shape;
      return type;
    }
  }
  if (TakePrefix(expression, "*")) {
    type.shape = TypeShape::kPointer;
    type.element = &Named(expression);
  } else if (TakePrefix(expression, "[]")) {
    type.shape = TypeShape::kList;
    type.element = &Named(expression);
  } else if (TakePrefix(expression, "map[")) {
    type.shape = TypeShape::kMap;
    type.element = &Named(expression.substr(expression.find(']') + 1));
  }
  return type;
}

const Type* Table::Find(const kube::GroupVersionKind& kind) const {
  const auto found = by_kind_.find(kind);
  if (found != by_kind_.end()) return found->second;
  const auto common = of_every_group_.find(kind.kind);
  return common == of_every_group_.end() ? nullptr : common->second;
}

const Type* Table::Find(std::string_view type_name) const {
  const auto found = by_name_.find(type_name);
  return found == by_name_.end() ? nullptr : found->second;
}

const Table& BuiltinTable() {
  static const Table kTable(KindsText());
  return kTable;
}

}  // namespace millwright::apiserver::builtin
