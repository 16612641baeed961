#include "tests/faults/real/rule_text.h"

#include <boost/json/value.hpp>

#include <map>
#include <string>

namespace millwright::faults {

namespace json = boost::json;

namespace {

const std::map<std::string, Fault, std::less<>> kFaults = {
    {"delay", Fault::kDelay},   {"refuse", Fault::kRefuse}, {"lose", Fault::kLoseAnswer},
    {"error", Fault::kError},   {"stale", Fault::kStale},   {"cut", Fault::kCut},
    {"freeze", Fault::kFreeze}, {"repeat", Fault::kRepeat}};

std::string TextOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

double NumberOf(const json::object& object, std::string_view name, double otherwise) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_number() ? value->to_number<double>() : otherwise;
}

}  // namespace

Result<FaultRule> ReadFaultRule(const json::object& text) {
  const auto fault = kFaults.find(TextOf(text, "fault"));
  if (fault == kFaults.end()) return Fail(ErrorKind::kInvalid, "no such fault");
  FaultRule rule{.method = TextOf(text, "method"),
                 .target_contains = TextOf(text, "target"),
                 .skip = static_cast<int>(NumberOf(text, "skip", 0)),
                 .times = static_cast<int>(NumberOf(text, "times", 1))};
  rule.action.fault = fault->second;
  rule.action.status = static_cast<int>(NumberOf(text, "status", 503));
  rule.action.pieces = static_cast<std::size_t>(NumberOf(text, "pieces", 0));
  rule.action.delay = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(NumberOf(text, "seconds", 0)));
  if (text.contains("retryAfter")) {
    rule.action.retry_after_seconds = static_cast<int>(NumberOf(text, "retryAfter", 0));
  }
  return rule;
}

}  // namespace millwright::faults
