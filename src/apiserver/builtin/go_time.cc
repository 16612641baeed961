#include "apiserver/builtin/go_time.h"

#include <array>

#include <fmt/format.h>

#include "kube/api/typed_text.h"

namespace millwright::apiserver::builtin {

namespace {

constexpr std::string_view kTimeForm = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicroTimeForm = "2006-01-02T15:04:05.000000Z07:00";

// A part of the form: digits with the largest value they may have, or, without digits, itself.
struct Part {
  std::string_view form;
  std::string_view name = {};
  int least = 0;
  int most = 0;
};

constexpr std::array<Part, 11> kParts = {{
    {"2006", "year", 0, 9999},
    {"-"},
    {"01", "month", 1, 12},
    {"-"},
    {"02", "day", 1, 31},
    {"T"},
    {"15", "hour", 0, 23},
    {":"},
    {"04", "minute", 0, 59},
    {":"},
    {"05", "second", 0, 59},
}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool StartsWithDigits(std::string_view text, std::size_t count) {
  if (text.size() < count) return false;
  for (const char c : text.substr(0, count)) {
    if (!IsDigit(c)) return false;
  }
  return true;
}

int NumberOf(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

int DaysOf(int year, int month) {
  constexpr std::array<int, 13> kDays = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month)];
}

class GoTime {
 public:
  GoTime(std::string_view text, bool micro) : text_(text), rest_(text), micro_(micro) {}

  std::string Fault() {
    for (const auto& part : kParts) {
      const std::string fault = part.name.empty() ? Literal(part.form) : Digits(part);
      if (!fault.empty()) return fault;
    }
    if (std::string fault = Fraction(); !fault.empty()) return fault;
    if (std::string fault = Zone(); !fault.empty()) return fault;
    if (!rest_.empty()) return Says("extra text: " + kube::QuotedText(rest_));
    return day_ > DaysOf(year_, month_) ? Says("day out of range") : "";
  }

 private:
  std::string Says(const std::string& what) const {
    return fmt::format("parsing time {}: {}", kube::QuotedText(text_), what);
  }

  std::string CannotParse(std::string_view part) const {
    return fmt::format("parsing time {} as \"{}\": cannot parse {} as \"{}\"",
                       kube::QuotedText(text_), micro_ ? kMicroTimeForm : kTimeForm,
                       kube::QuotedText(rest_), part);
  }

  std::string Literal(std::string_view form) {
    if (!rest_.starts_with(form)) return CannotParse(form);
    rest_.remove_prefix(form.size());
    return "";
  }

  std::string Digits(const Part& part) {
    if (!StartsWithDigits(rest_, part.form.size())) return CannotParse(part.form);
    const int number = NumberOf(rest_.substr(0, part.form.size()));
    if (number < part.least || number > part.most) {
      return Says(std::string(part.name) + " out of range");
    }
    rest_.remove_prefix(part.form.size());
    if (part.name == "year") year_ = number;
    if (part.name == "month") month_ = number;
    if (part.name == "day") day_ = number;
    return "";
  }

  std::string Fraction() {
    constexpr std::string_view kForm = ".000000";
    if (micro_) {
      if (!rest_.starts_with('.') || !StartsWithDigits(rest_.substr(1), kForm.size() - 1)) {
        return CannotParse(kForm);
      }
      rest_.remove_prefix(kForm.size());
    } else if (rest_.starts_with('.') && StartsWithDigits(rest_.substr(1), 1)) {
      rest_.remove_prefix(1);
      while (!rest_.empty() && IsDigit(rest_.front())) rest_.remove_prefix(1);
    }
    return "";
  }

  std::string Zone() {
    constexpr std::string_view kForm = "Z07:00";
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return "";
    }
    const bool fits = rest_.size() >= kForm.size() && (rest_[0] == '+' || rest_[0] == '-') &&
                      StartsWithDigits(rest_.substr(1), 2) && rest_[3] == ':' &&
                      StartsWithDigits(rest_.substr(4), 2);
    if (!fits) return CannotParse(kForm);
    if (NumberOf(rest_.substr(1, 2)) > 24) return Says("time zone offset hour out of range");
    if (NumberOf(rest_.substr(4, 2)) > 60) return Says("time zone offset minute out of range");
    rest_.remove_prefix(kForm.size());
    return "";
  }

  std::string_view text_;
  std::string_view rest_;
  bool micro_;
  int year_ = 0;
  int month_ = 1;
  int day_ = 1;
};

}  // namespace

std::string GoTimeFault(std::string_view text, bool micro) { return GoTime(text, micro).Fault(); }

}  // namespace millwright::apiserver::builtin
