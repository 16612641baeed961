#include "kube/leader/lease.h"

namespace millwright::kube {

namespace json = boost::json;

LeaseStep PlanLease(const std::optional<Observation>& seen, const std::string& identity,
                    SteadyTime now) {
  if (!seen) return LeaseStep::kCreate;
  const LeaseRecord& record = seen->record;
  if (record.holder == identity) return LeaseStep::kRenew;
  if (record.holder.empty()) return LeaseStep::kTake;
  const SteadyTime expires = seen->since + std::chrono::seconds(record.duration_seconds);
  return now >= expires ? LeaseStep::kTake : LeaseStep::kWait;
}

LeaseRecord NextRecord(LeaseStep step, const std::optional<Observation>& seen,
                       const std::string& identity, const LeaseTiming& timing, WallTime now) {
  LeaseRecord record;
  record.holder = identity;
  record.duration_seconds = static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(timing.lease_duration).count());
  record.acquired = now;
  record.renewed = now;
  if (!seen) return record;
  record.transitions = seen->record.transitions;
  if (step == LeaseStep::kRenew) record.acquired = seen->record.acquired;
  if (step == LeaseStep::kTake) ++record.transitions;
  return record;
}

LeaseRecord ReleasedRecord(const LeaseRecord& ours, WallTime now) {
  return {.holder = "",
          .duration_seconds = 1,
          .acquired = now,
          .renewed = now,
          .transitions = ours.transitions};
}

namespace {

std::string TextAt(const json::object& spec, std::string_view key) {
  const json::value* value = spec.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::int32_t NumberAt(const json::object& spec, std::string_view key) {
  const json::value* value = spec.if_contains(key);
  return value != nullptr && value->is_int64() ? static_cast<std::int32_t>(value->get_int64()) : 0;
}

}  // namespace

LeaseRecord RecordOf(const json::value& lease) {
  const json::object* object = lease.if_object();
  const json::value* spec_value = object != nullptr ? object->if_contains("spec") : nullptr;
  const json::object* spec = spec_value != nullptr ? spec_value->if_object() : nullptr;
  if (spec == nullptr) return {};
  LeaseRecord record;
  record.holder = TextAt(*spec, "holderIdentity");
  record.duration_seconds = NumberAt(*spec, "leaseDurationSeconds");
  record.acquired = ParseTime(TextAt(*spec, "acquireTime")).value_or(WallTime{});
  record.renewed = ParseTime(TextAt(*spec, "renewTime")).value_or(WallTime{});
  record.transitions = NumberAt(*spec, "leaseTransitions");
  return record;
}

json::value SpecOf(const LeaseRecord& record) {
  return {{"holderIdentity", record.holder},
          {"leaseDurationSeconds", record.duration_seconds},
          {"acquireTime", FormatMicroTime(record.acquired)},
          {"renewTime", FormatMicroTime(record.renewed)},
          {"leaseTransitions", record.transitions}};
}

}  // namespace millwright::kube
