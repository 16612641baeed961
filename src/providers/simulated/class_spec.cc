#include "providers/simulated/class_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace millwright::providers {
namespace {

namespace json = boost::json;

// Far more than anybody waits for, and far from the limits of a Duration.
constexpr double kLongestSeconds = 1e6;

using Texts = std::map<std::string, std::string>;

// Reads one object of the spec field by field; what is wrong is gathered, to be told all at once.
class Fields {
 public:
  Fields(const json::object& object, std::string path, std::vector<std::string>& problems)
      : object_(object), path_(std::move(path)), problems_(problems) {}

  const json::value* Take(std::string_view name) {
    known_.emplace_back(name);
    return object_.if_contains(name);
  }

  void Problem(std::string_view name, std::string_view what) {
    problems_.push_back(fmt::format("{}{}: {}", path_, name, what));
  }

  std::optional<double> Number(std::string_view name, double least, double most) {
    const json::value* value = Take(name);
    if (value == nullptr) return std::nullopt;
    const double number = value->is_number() ? value->to_number<double>() : -1;
    if (!value->is_number() || number < least || number > most) {
      Problem(name, fmt::format("must be a number from {} to {}", least, most));
      return std::nullopt;
    }
    return number;
  }

  std::optional<Duration> Seconds(std::string_view name) {
    const auto number = Number(name, 0, kLongestSeconds);
    if (!number) return std::nullopt;
    return Duration(std::llround(*number * 1e9));
  }

  std::optional<std::uint64_t> Count(std::string_view name) {
    const auto number = Number(name, 1, 1e9);
    if (!number) return std::nullopt;
    if (*number != std::floor(*number)) Problem(name, "must be a whole number");
    return static_cast<std::uint64_t>(*number);
  }

  std::optional<std::string> Text(std::string_view name) {
    const json::value* value = Take(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string() || value->get_string().empty()) {
      Problem(name, "must be a text that is not empty");
      return std::nullopt;
    }
    return std::string(value->get_string());
  }

  const json::object* Object(std::string_view name) {
    const json::value* value = Take(name);
    if (value == nullptr) return nullptr;
    if (!value->is_object()) Problem(name, "must be an object");
    return value->if_object();
  }

  // Quantities are often written as plain numbers, so those are taken as well where `numbers`.
  Texts Map(std::string_view name, bool numbers) {
    Texts texts;
    const json::object* object = Object(name);
    if (object == nullptr) return texts;
    for (const auto& [key, value] : *object) {
      if (value.is_string()) {
        texts.emplace(key, value.get_string());
      } else if (numbers && value.is_number()) {
        texts.emplace(key, json::serialize(value));
      } else {
        Problem(fmt::format("{}.{}", name, std::string_view(key)),
                numbers ? "must be a text or a number" : "must be a text");
      }
    }
    return texts;
  }

  Fields Inside(const json::object& object, std::string_view name) const {
    return {object, fmt::format("{}{}.", path_, name), problems_};
  }

  // Call last: what nobody took is not a field.
  void RefuseOthers() {
    for (const auto& [key, value] : object_) {
      if (std::ranges::find(known_, std::string_view(key)) != known_.end()) continue;
      Problem(std::string_view(key),
              fmt::format("unknown field; there are: {}", fmt::join(known_, ", ")));
    }
  }

 private:
  const json::object& object_;
  std::string path_;
  std::vector<std::string>& problems_;
  std::vector<std::string> known_;
};

void ReadCode(Fields& fields, FaultRule& rule) {
  const auto name = fields.Text("code");
  if (!name) return;
  rule.code = core::ParseCloudCode(*name);
  if (!rule.code || rule.code == core::CloudCode::kOk) {
    fields.Problem("code", "must be a canonical code of a failure, such as ResourceExhausted");
  }
}

void ReadPoint(Fields& fields, FaultRule& rule) {
  const auto point = fields.Text("effect");
  if (!point || *point == "before") return;
  if (*point == "halfway") {
    rule.point = FaultPoint::kHalfway;
  } else if (*point == "after") {
    rule.point = FaultPoint::kAfter;
  } else {
    fields.Problem("effect", "must be before, halfway or after");
  }
}

FaultRule ReadRule(Fields fields, CallKind kind) {
  FaultRule rule{.kind = kind};
  ReadCode(fields, rule);
  ReadPoint(fields, rule);
  rule.machine = fields.Text("machine").value_or("");
  rule.first = fields.Count("first").value_or(rule.first);
  rule.times = fields.Count("times").value_or(rule.times);
  rule.probability = fields.Number("probability", 0, 1).value_or(rule.probability);
  rule.delay = fields.Seconds("delaySeconds").value_or(rule.delay);
  rule.answer_delay = fields.Seconds("answerDelaySeconds").value_or(rule.answer_delay);
  fields.RefuseOthers();
  return rule;
}

std::vector<FaultRule> ReadFaults(Fields& fields) {
  std::vector<FaultRule> rules;
  const json::object* object = fields.Object("fail");
  if (object == nullptr) return rules;
  Fields calls = fields.Inside(*object, "fail");
  for (const CallKind kind : kCallKinds) {
    const json::object* rule = calls.Object(ToString(kind));
    if (rule != nullptr) rules.push_back(ReadRule(calls.Inside(*rule, ToString(kind)), kind));
  }
  calls.RefuseOthers();
  return rules;
}

ClassSpec ReadSpec(Fields fields) {
  ClassSpec spec;
  spec.zone = fields.Text("zone").value_or(spec.zone);
  if (spec.zone.find('/') != std::string::npos) fields.Problem("zone", "must not contain '/'");
  spec.create = fields.Seconds("createSeconds");
  spec.boot = fields.Seconds("bootSeconds");
  spec.pending = fields.Seconds("pendingSeconds").value_or(spec.pending);
  spec.capacity = fields.Map("capacity", true);
  spec.labels = fields.Map("labels", false);
  spec.faults = ReadFaults(fields);
  fields.RefuseOthers();
  return spec;
}

}  // namespace

Result<ClassSpec> ParseClassSpec(std::string_view text) {
  if (text.empty()) return ClassSpec{};
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error) return Fail(ErrorKind::kInvalid, "provider spec: not JSON: " + error.message());
  if (!document.is_object()) return Fail(ErrorKind::kInvalid, "provider spec: not a JSON object");
  std::vector<std::string> problems;
  ClassSpec spec = ReadSpec(Fields(document.get_object(), "", problems));
  if (problems.empty()) return spec;
  return Fail(ErrorKind::kInvalid, fmt::format("provider spec: {}", fmt::join(problems, "; ")));
}

}  // namespace millwright::providers
