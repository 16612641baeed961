#include "apiserver/builtin/check.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"
#include "kube/api/typed_value.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

const json::value& Null() {
  static const json::value kNull;
  return kNull;
}

}  // namespace

At::At(const json::value& value, std::string path) : value_(&value), path_(std::move(path)) {}

At At::operator[](std::string_view field) const {
  const auto* object = value_->if_object();
  const json::value* member = object == nullptr ? nullptr : object->if_contains(field);
  return At(member == nullptr ? Null() : *member, kube::PathChild(path_, field));
}

At At::Key(std::string_view key) const {
  const auto* object = value_->if_object();
  const json::value* member = object == nullptr ? nullptr : object->if_contains(key);
  return At(member == nullptr ? Null() : *member, kube::PathKey(path_, key));
}

std::vector<At> At::Items() const {
  std::vector<At> items;
  const auto* list = value_->if_array();
  if (list == nullptr) return items;
  items.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    items.emplace_back((*list)[i], kube::PathIndex(path_, i));
  }
  return items;
}

std::vector<std::pair<std::string_view, At>> At::Members() const {
  std::vector<std::pair<std::string_view, At>> members;
  const auto* object = value_->if_object();
  if (object == nullptr) return members;
  for (const auto& member : *object) {
    members.emplace_back(member.key(), At(member.value(), kube::PathKey(path_, member.key())));
  }
  return members;
}

bool At::IsEmpty() const {
  if (!IsSet()) return true;
  if (value_->is_string()) return value_->get_string().empty();
  if (value_->is_int64()) return value_->get_int64() == 0;
  if (value_->is_bool()) return !value_->get_bool();
  return Size() == 0;
}

std::size_t At::Size() const {
  if (const auto* list = value_->if_array()) return list->size();
  const auto* object = value_->if_object();
  return object == nullptr ? 0 : object->size();
}

std::string_view At::Text() const {
  const auto* text = value_->if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::optional<std::int64_t> At::Number() const {
  const auto* number = value_->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool At::IsTrue() const { return value_->is_bool() && value_->get_bool(); }

bool Same(const At& a, const At& b) { return kube::SameValue(a.value(), b.value()); }

void Faults::Required(const At& at, std::string detail) {
  Add(kube::RequiredError(at.path(), std::move(detail)));
}

void Faults::Invalid(const At& at, std::string detail) {
  Add(kube::InvalidError(at.path(), at.value(), std::move(detail)));
}

void Faults::Invalid(const At& at, const json::value& shown, std::string detail) {
  Add(kube::InvalidError(at.path(), shown, std::move(detail)));
}

void Faults::InvalidStruct(const At& at, std::string shown, std::string detail) {
  Add({.type = kube::FieldErrorType::kInvalid,
       .field = at.path(),
       .bad_value = std::move(shown),
       .detail = std::move(detail)});
}

void Faults::Invalid(const At& at, const kube::Complaints& complaints) {
  // A missing text is shown as an empty one.
  const json::value shown = at.IsSet() ? at.value() : json::value("");
  for (const auto& complaint : complaints) Invalid(at, shown, complaint);
}

void Faults::Forbidden(const At& at, std::string detail) {
  Add(kube::ForbiddenError(at.path(), std::move(detail)));
}

void Faults::Duplicate(const At& at, std::string detail) {
  kube::FieldError error = kube::DuplicateError(at.path(), at.value());
  error.detail = std::move(detail);
  Add(std::move(error));
}

void Faults::NotFound(const At& at) {
  Add({.type = kube::FieldErrorType::kNotFound,
       .field = at.path(),
       .bad_value = kube::QuotedText(at.Text())});
}

void Faults::NotSupported(const At& at, std::initializer_list<std::string_view> supported) {
  const json::value shown = at.IsSet() ? at.value() : json::value("");
  Add(kube::NotSupportedError(at.path(), shown,
                              std::vector<std::string>(supported.begin(), supported.end())));
}

std::string GoStructText(std::initializer_list<std::pair<std::string_view, At>> fields) {
  std::string text = "{";
  for (const auto& [name, at] : fields) {
    if (text.size() > 1) text += ',';
    text += kube::QuotedText(name) + ":" + kube::JsonText(at.value());
  }
  return text + "}";
}

}  // namespace millwright::apiserver::builtin
