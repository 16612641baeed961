#include "kube/api/apply.h"

#include <chrono>
#include <memory>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/apply_conflict.h"
#include "kube/api/apply_last_applied.h"
#include "kube/api/apply_ownership.h"
#include "kube/api/typed_check.h"
#include "kube/api/typed_fields.h"
#include "kube/api/typed_merge.h"
#include "kube/api/typed_remove.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// One apply from checked inputs.
class Application {
 public:
  Application(const OwnershipRules& rules, json::value live, const json::value& configuration,
              const FieldWriter& writer)
      : rules_(rules),
        shape_(Shape::OfResource(rules.schema)),
        live_(std::move(live)),
        configuration_(configuration),
        writer_(writer),
        self_(ManagerId::Applier(ManagerName(writer), writer.subresource)) {}

  Result<void> Check() const;
  Result<json::value> Run(ManagedFields managed, Force force) const;

 private:
  void ClaimAll(ManagedFields& managed) const;
  json::value Pruned(const json::value& merged, const ManagedFields& managed,
                     const FieldSet& last) const;
  Result<void> Resolve(const OwnedByOthers& conflicts, Force force) const;
  void Stamp(ManagedFields& managed, std::optional<WallTime> last) const;

  const OwnershipRules& rules_;
  const Shape shape_;
  const json::value live_;
  const json::value& configuration_;
  const FieldWriter& writer_;
  const ManagerId self_;
};

Result<void> Application::Check() const {
  if (auto fits = CheckShape(shape_, configuration_, Duplicates::kRefused); !fits) {
    return Failure(std::move(fits).error().Wrap("failed to create typed patch object (" +
                                                ObjectName(configuration_) + ")"));
  }
  if (auto fits = CheckShape(shape_, live_, Duplicates::kAllowed); !fits) {
    return Failure(std::move(fits).error().Wrap("failed to create typed live object (" +
                                                ObjectName(live_) + ")"));
  }
  return Ok();
}

// Nobody kept book of this object. What is in it must belong to somebody, or the first apply could
// overwrite the work of others unnoticed.
void Application::ClaimAll(ManagedFields& managed) const {
  const Comparison all = Compare(shape_, json::object(), live_).Without(rules_.reset_fields);
  ManagedEntry entry;
  entry.fields = WithoutServerFields(all.added);
  entry.api_version = writer_.api_version;
  entry.time = std::chrono::floor<std::chrono::seconds>(writer_.time);
  if (entry.fields.empty()) return;
  managed.emplace(
      ManagerId::Updater("before-first-apply", writer_.api_version, writer_.subresource),
      std::move(entry));
}

// The merged object without what the applier had applied before and nobody wants any more.
json::value Application::Pruned(const json::value& merged, const ManagedFields& managed,
                                const FieldSet& last) const {
  if (last.empty()) return merged;
  const auto declared = [this](const FieldSet& set) { return WithDeclaredFields(shape_, set); };
  const auto fields = [&](const json::value& object) { return declared(FieldsOf(shape_, object)); };
  FieldSet owned;
  for (const auto& [id, entry] : managed) owned = owned.Union(entry.fields);

  const FieldSet all = fields(merged);
  const FieldSet was = declared(last);
  // First everything it had goes; then what somebody owns, the applier's new claims among it, comes
  // back, and with it what leads there; last, what went only because it was inside something that
  // went, and never was the applier's, comes back too.
  const json::value least = Without(shape_, merged, was);
  const FieldSet unwanted = all.Difference(fields(least).Union(declared(owned)));
  const json::value wanted = Without(shape_, merged, unwanted);
  return Without(shape_, merged, all.Difference(fields(wanted)).Intersection(was));
}

Result<void> Application::Resolve(const OwnedByOthers& conflicts, Force force) const {
  if (force == Force::kYes || conflicts.empty()) return Ok();
  if (!MovesFromClientSide(writer_)) return Failure(ConflictError(conflicts));
  const auto allowed = AppliedByClient(shape_, live_, writer_.api_version);
  if (!allowed) return Failure(ConflictError(conflicts));
  OwnedByOthers rest;
  for (const auto& [id, fields] : conflicts) {
    FieldSet left = fields.Difference(*allowed);
    if (!left.empty()) rest.emplace(id, std::move(left));
  }
  if (rest.empty()) return Ok();
  return Failure(ConflictError(rest));
}

void Application::Stamp(ManagedFields& managed, std::optional<WallTime> time) const {
  const auto mine = managed.find(self_);
  if (mine == managed.end()) return;
  mine->second.fields = WithoutServerFields(mine->second.fields);
  mine->second.time = time;
  if (mine->second.fields.empty()) managed.erase(mine);
}

Result<json::value> Application::Run(ManagedFields managed, Force force) const {
  if (managed.empty()) ClaimAll(managed);
  AdjustToSchema(shape_, managed);
  const json::value merged = Merge(shape_, live_, configuration_);
  ManagedEntry& mine = managed[self_];
  const FieldSet last = std::exchange(
      mine.fields, FieldsOf(shape_, configuration_).RecursiveDifference(rules_.reset_fields));
  mine.api_version = writer_.api_version;
  const std::optional<WallTime> last_time = mine.time;

  json::value object = Pruned(merged, managed, last);
  const Comparison change = Compare(shape_, live_, object).Without(rules_.reset_fields);
  CHECK_OK(Resolve(FindConflicts(managed, change, self_), force));
  TakeFromOthers(managed, change, self_);
  const bool changed = !SameValue(live_, object);
  const auto now = std::chrono::floor<std::chrono::seconds>(writer_.time);
  Stamp(managed, changed ? std::optional<WallTime>(now) : last_time);
  if (MovesFromClientSide(writer_)) RefreshLastApplied(configuration_, object);
  StoreManagedFields(managed, object);
  return object;
}

Result<void> CheckConfiguration(const json::value& configuration, const std::string& api_version) {
  const auto* object = configuration.if_object();
  if (object == nullptr) return Fail(ErrorKind::kInvalid, "the configuration must be an object");
  const json::value* version = object->if_contains("apiVersion");
  const auto* text = version == nullptr ? nullptr : version->if_string();
  const std::string said = text == nullptr ? std::string() : std::string(*text);
  if (said != api_version) {
    return Fail(ErrorKind::kInvalid,
                "Incorrect version specified in apply patch. Specified patch version: " + said +
                    ", expected: " + api_version);
  }
  if (FindManagedFields(configuration) != nullptr) {
    return Fail(ErrorKind::kInvalid, "metadata.managedFields must be nil");
  }
  return Ok();
}

}  // namespace

Result<json::value> Apply(const OwnershipRules& rules, const json::value* live,
                          const json::value& configuration, const FieldWriter& writer,
                          Force force) {
  const json::value nothing = json::object();
  const json::value& before = live == nullptr ? nothing : *live;
  if (IsNestedTooDeep(configuration) || IsNestedTooDeep(before)) {
    return Fail(ErrorKind::kInvalid, "the object is nested too deep");
  }
  CHECK_OK(CheckConfiguration(configuration, writer.api_version));
  ManagedFields managed;
  if (const json::array* entries = FindManagedFields(before)) {
    auto decoded = DecodeManagedFields(*entries);
    if (!decoded)
      return Failure(std::move(decoded).error().Wrap("failed to decode managed fields"));
    managed = *std::move(decoded);
  }
  const Application application(rules, WithoutManagedFields(before), configuration, writer);
  CHECK_OK(application.Check());
  return application.Run(std::move(managed), force);
}

}  // namespace millwright::kube
