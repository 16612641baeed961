// The vocabulary of the rules about built-in kinds: where something is, and what is wrong there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/names.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver::builtin {

// A place in an object with its path; what is not there is null. The object has to outlive it.
class At {
 public:
  explicit At(const boost::json::value& value, std::string path = "");

  At operator[](std::string_view field) const;
  // The value of a map, which is written in brackets.
  At Key(std::string_view key) const;
  std::vector<At> Items() const;
  // The values of a map, by key.
  std::vector<std::pair<std::string_view, At>> Members() const;

  bool IsSet() const { return !value_->is_null(); }
  // Absent, zero, or without anything in it.
  bool IsEmpty() const;
  std::size_t Size() const;  // of a list or map
  std::string_view Text() const;
  std::optional<std::int64_t> Number() const;
  bool IsTrue() const;

  const boost::json::value& value() const { return *value_; }
  const std::string& path() const { return path_; }

  // The same value, spoken of under another path.
  At Named(std::string path) const { return At(*value_, std::move(path)); }

 private:
  const boost::json::value* value_;
  std::string path_;
};

bool Same(const At& a, const At& b);

// Collects what is wrong.
class Faults {
 public:
  void Required(const At& at, std::string detail = "");
  void Invalid(const At& at, std::string detail);
  // A value that is shown otherwise than it is.
  void Invalid(const At& at, const boost::json::value& shown, std::string detail);
  // As the Go struct that it is inside of a real server: GoStructText.
  void InvalidStruct(const At& at, std::string shown, std::string detail);
  void Forbidden(const At& at, std::string detail);
  void Duplicate(const At& at, std::string detail = "");
  void NotFound(const At& at);
  void NotSupported(const At& at, std::initializer_list<std::string_view> supported);
  void Add(kube::FieldError error) { errors_.push_back(std::move(error)); }
  // One for each complaint about the value.
  void Invalid(const At& at, const kube::Complaints& complaints);

  std::vector<kube::FieldError> Take() && { return std::move(errors_); }

 private:
  std::vector<kube::FieldError> errors_;
};

// {"Type":"X","RollingUpdate":null}: fields under their Go names, in their order.
std::string GoStructText(std::initializer_list<std::pair<std::string_view, At>> fields);

// --- Rules that many kinds have ---

inline constexpr std::string_view kImmutable = "field is immutable";

// A number that is there must not be below zero.
void CheckNotNegative(const At& at, Faults& faults);
void CheckBetween(const At& at, std::int64_t least, std::int64_t most, Faults& faults);
void CheckPort(const At& at, Faults& faults);
// A text that is there, or else is required.
void CheckOneOf(const At& at, std::initializer_list<std::string_view> choices, Faults& faults);
void CheckUnchanged(const At& at, const At& old, Faults& faults);
void CheckSubdomain(const At& at, Faults& faults);
// Faults are said of the map and show the key or the value.
void CheckLabels(const At& at, Faults& faults);
void CheckLabelSelector(const At& at, Faults& faults);
// A percentage, or a number that is not negative.
void CheckIntOrPercent(const At& at, Faults& faults);
void CheckIp(const At& at, Faults& faults);
// Keys of config maps and secrets.
kube::Complaints CheckConfigKey(std::string_view key);
// Names of ports.
kube::Complaints CheckPortName(std::string_view name);

}  // namespace millwright::apiserver::builtin
