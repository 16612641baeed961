// Events of both groups, and leases.
#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

const json::value& Nothing() {
  static const json::value kNothing = "";
  return kNothing;
}

void CheckLength(const At& at, std::size_t limit, Faults& faults) {
  if (at.Text().size() <= limit) return;
  faults.Invalid(at, Nothing(), fmt::format("can have at most {} characters", limit));
}

void NeedText(const At& at, std::size_t limit, Faults& faults) {
  if (at.IsEmpty()) faults.Required(at);
  CheckLength(at, limit, faults);
}

// The two groups name the same fields differently; what is said of them is about the older names.
struct EventFields {
  At object;
  At reporter;
  At message;
};

void CheckObjectNamespace(const At& event, const At& object, Faults& faults) {
  const At said = object["namespace"].Named("involvedObject.namespace");
  const std::string_view own = event["metadata"]["namespace"].Text();
  const bool timed = event["eventTime"].IsSet();
  const bool fits = said.IsEmpty()
                        ? own == "default" || (timed ? own == "kube-system" : own.empty())
                        : timed || said.Text() == own;
  if (!fits) faults.Invalid(said, json::value(said.Text()), "does not match event.namespace");
}

void CheckEvent(const At& event, const EventFields& fields, Faults& faults) {
  CheckObjectNamespace(event, fields.object, faults);
  if (!event["eventTime"].IsSet()) return;
  if (fields.reporter.IsEmpty()) faults.Required(fields.reporter);
  faults.Invalid(fields.reporter, kube::CheckQualifiedName(fields.reporter.Text()));
  NeedText(event["reportingInstance"], 128, faults);
  NeedText(event["action"], 128, faults);
  NeedText(event["reason"], 128, faults);
  CheckLength(fields.message.Named("message"), 1024, faults);
}

void CheckSeries(const At& series, Faults& faults) {
  if (!series.IsSet()) return;
  if (series["count"].Number().value_or(0) < 2) {
    faults.Invalid(series["count"], Nothing(), "should be at least 2");
  }
  if (!series["lastObservedTime"].IsSet()) faults.Required(series["lastObservedTime"]);
}

void CheckDeprecated(const At& event, Faults& faults) {
  const auto unset = [&](std::string_view field, std::string path) {
    if (!event[field].IsEmpty()) {
      faults.Invalid(event[field].Named(std::move(path)), Nothing(), "needs to be unset");
    }
  };
  unset("deprecatedFirstTimestamp", "firstTimestamp");
  unset("deprecatedLastTimestamp", "lastTimestamp");
  unset("deprecatedCount", "count");
  unset("deprecatedSource", "source");
}

struct Renamed {
  std::string_view field;
  std::string_view path;
};

constexpr Renamed kFixed[] = {
    {"regarding", "involvedObject"},
    {"reason", "reason"},
    {"note", "message"},
    {"deprecatedSource", "source"},
    {"deprecatedFirstTimestamp", "firstTimestamp"},
    {"deprecatedLastTimestamp", "lastTimestamp"},
    {"deprecatedCount", "count"},
    {"type", "type"},
    {"eventTime", "eventTime"},
    {"action", "action"},
    {"related", "related"},
    {"reportingController", "reportingController"},
    {"reportingInstance", "reportingInstance"},
};

}  // namespace

void ValidateEvent(const At& object, const At* /*old*/, Faults& faults) {
  CheckEvent(object,
             {.object = object["involvedObject"],
              .reporter = object["reportingComponent"],
              .message = object["message"]},
             faults);
}

void ValidateNewEvent(const At& object, const At* old, Faults& faults) {
  CheckEvent(object,
             {.object = object["regarding"],
              .reporter = object["reportingController"],
              .message = object["note"]},
             faults);
  if (old == nullptr) {
    CheckSeries(object["series"], faults);
    if (!object["eventTime"].IsSet()) faults.Required(object["eventTime"]);
    const std::string_view type = object["type"].Text();
    if (type != "Normal" && type != "Warning") {
      faults.Invalid(object["type"], Nothing(), fmt::format("has invalid value: {}", type));
    }
    return CheckDeprecated(object, faults);
  }
  if (!Same(object["series"], (*old)["series"])) CheckSeries(object["series"], faults);
  for (const auto& [field, path] : kFixed) {
    CheckUnchanged(object[field].Named(std::string(path)), (*old)[field], faults);
  }
}

void ValidateLease(const At& object, const At* /*old*/, Faults& faults) {
  const At spec = object["spec"];
  const At duration = spec["leaseDurationSeconds"];
  if (duration.IsSet() && duration.Number() <= 0) {
    faults.Invalid(duration, "must be greater than 0");
  }
  CheckNotNegative(spec["leaseTransitions"], faults);
}

}  // namespace millwright::apiserver::builtin
