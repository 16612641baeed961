#include <tuple>

#include "dialects/capi/names.h"
#include "dialects/capi/read.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

// A list of conditions that may be of either style.
struct FoundConditions {
  bool present = false;
  std::optional<Condition> ready;
  Conditions summaries;
  std::string problem;
};

// What a cluster shows of its control plane.
bool IsSummary(std::string_view type) {
  return type == "Available" || type == "RollingOut" || type == "ScalingUp" ||
         type == "ScalingDown";
}

// Providers' conditions of either style have these fields; what else they have is theirs.
Result<Condition> ReadAnyCondition(JsonValue value, kube::TextPool& texts) {
  Condition condition;
  std::string status;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, texts, condition.type);
    if (key == "status") return ReadInto(field, status);
    if (key == "reason") return ReadInto(field, texts, condition.reason);
    if (key == "message") return ReadInto(field, texts, condition.message);
    if (key == "lastTransitionTime") return ReadInto(field, condition.since);
    if (key == "observedGeneration") return ReadInto(field, condition.observed_generation);
    return {};
  }));
  if (condition.type.empty()) return Fail(ErrorKind::kInvalid, "a condition has no type");
  if (status.empty()) {
    return Fail(ErrorKind::kInvalid, "condition " + condition.type.str() + " has no status");
  }
  condition.status = ParseTruth(status);
  return condition;
}

// What makes no sense is noted and does not keep the rest from being read.
class ExternalReader {
 public:
  ExternalReader(ExternalRecord& record, kube::TextPool& texts) : record_(record), texts_(texts) {}

  void Spec(JsonValue value) {
    Note("spec", ForEachField(value, [&](std::string_view key, JsonValue field) {
           SpecField(key, field);
           return Ok();
         }));
  }

  void Status(JsonValue value) {
    Note("status", ForEachField(value, [&](std::string_view key, JsonValue field) {
           StatusField(key, field);
           return Ok();
         }));
  }

  // The list of today's style counts if there is one, whatever it has.
  void Finish() {
    FoundConditions& found = conditions_of_today_.present ? conditions_of_today_ : conditions_;
    record_.ready_condition = std::move(found.ready);
    record_.summaries = std::move(found.summaries);
    record_.conditions_problem = std::move(found.problem);
  }

 private:
  void Note(std::string_view path, const Result<void>& read) {
    if (read) return;
    if (!record_.problem.empty()) record_.problem += '\n';
    record_.problem.append(path).append(": ").append(read.error().message());
  }

  void SpecField(std::string_view key, JsonValue value) {
    if (key == "providerID") Note("spec.providerID", ReadInto(value, record_.provider_id));
    if (key == "failureDomain") {
      Note("spec.failureDomain", ReadInto(value, record_.wished_failure_domain));
    }
    if (key == "version") Note("spec.version", ReadInto(value, record_.version));
    if (key == "controlPlaneEndpoint") Note("spec.controlPlaneEndpoint", Endpoint(value));
    if (key == "replicas") Count(value, record_.counts.desired);
  }

  Result<void> Endpoint(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "host") return ReadInto(field, record_.endpoint_host);
      if (key == "port") return ReadInto(field, record_.endpoint_port);
      return {};
    });
  }

  void StatusField(std::string_view key, JsonValue value) {
    if (key == "initialization") Note("status.initialization", Initialization(value));
    if (key == "ready") Note("status.ready", ReadInto(value, record_.ready));
    if (key == "addresses") Note("status.addresses", Addresses(value));
    if (key == "failureDomain") {
      Note("status.failureDomain", ReadInto(value, record_.failure_domain));
    }
    if (key == "failureDomains") {
      Note("status.failureDomains", ReadRaw(value, texts_, record_.failure_domains));
    }
    if (key == "interruptible") {
      Note("status.interruptible", ReadInto(value, record_.interruptible));
    }
    if (key == "dataSecretName") {
      Note("status.dataSecretName", ReadInto(value, record_.data_secret));
    }
    if (key == "failureReason") {
      Note("status.failureReason", ReadInto(value, record_.failure_reason));
    }
    if (key == "failureMessage") {
      Note("status.failureMessage", ReadInto(value, record_.failure_message));
    }
    if (key == "version") Note("status.version", ReadInto(value, record_.running_version));
    if (key == "versions") Note("status.versions", Versions(value));
    if (key == "initialized") Note("status.initialized", ReadInto(value, record_.initialized));
    if (key == "externalManagedControlPlane") {
      Note("status.externalManagedControlPlane", ReadInto(value, record_.externally_managed));
    }
    CountField(key, value);
    if (key == "conditions") FindReady(value, conditions_);
    if (key == "v1beta2") ReadToday(value);
  }

  void CountField(std::string_view key, JsonValue value) {
    if (key == "replicas") Count(value, record_.counts.replicas);
    if (key == "readyReplicas") Count(value, record_.counts.ready);
    if (key == "availableReplicas") Count(value, record_.counts.available);
    if (key == "upToDateReplicas") Count(value, record_.counts.up_to_date);
    if (key == "updatedReplicas") Count(value, record_.updated_replicas);
    if (key == "unavailableReplicas") Count(value, record_.unavailable_replicas);
  }

  // Nobody depends on these, and to other kinds the same name may mean something else.
  static void Count(JsonValue value, std::optional<int>& target) {
    if (!ReadInto(value, target)) target.reset();
  }

  Result<void> Initialization(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "provisioned") return ReadInto(field, record_.provisioned);
      if (key == "dataSecretCreated") return ReadInto(field, record_.data_secret_created);
      if (key == "controlPlaneInitialized") {
        return ReadInto(field, record_.control_plane_initialized);
      }
      return {};
    });
  }

  Result<void> Addresses(JsonValue value) {
    kube::SharedText text;
    CHECK_OK(ReadCanonical(value, texts_, text));
    if (!text.empty() && text.view().front() != '[') {
      return Fail(ErrorKind::kInvalid, "is not a list");
    }
    record_.addresses = std::move(text);
    return {};
  }

  Result<void> Versions(JsonValue value) {
    return ForEachItem(value, [&](JsonValue item) {
      return ForEachField(item, [&](std::string_view key, JsonValue field) -> Result<void> {
        return key == "version" ? ReadInto(field, record_.running_versions.emplace_back())
                                : Result<void>();
      });
    });
  }

  void FindReady(JsonValue value, FoundConditions& found) {
    found.present = !kube::IsNull(value);
    const Result<void> read = ForEachItem(value, [&](JsonValue item) -> Result<void> {
      TRY(Condition condition, ReadAnyCondition(item, texts_));
      if (IsSummary(condition.type)) found.summaries.push_back(condition);
      if (condition.type == "Ready") found.ready = std::move(condition);
      return {};
    });
    if (!read) found.problem = read.error().message();
  }

  // An object of that name may be anything of the provider's: only its list means something.
  void ReadToday(JsonValue value) {
    std::ignore = ForEachField(value, [&](std::string_view key, JsonValue field) {
      if (key == "conditions") FindReady(field, conditions_of_today_);
      return Ok();
    });
  }

  ExternalRecord& record_;
  kube::TextPool& texts_;
  FoundConditions conditions_;
  FoundConditions conditions_of_today_;
};

}  // namespace

Result<ExternalRecord> Reader::External(JsonObject object) {
  ExternalRecord record;
  ExternalReader reader(record, texts_);
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") {
      return ReadHeader(
          value, record, texts_,
          {{managers::kSet, &record.applied}, {managers::kSetMetadata, &record.applied_metadata}});
    }
    if (key == "spec") reader.Spec(value);
    if (key == "status") reader.Status(value);
    return {};
  }));
  reader.Finish();
  return record;
}

}  // namespace millwright::dialects::capi
