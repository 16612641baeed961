// A small kind and its history, for the tests of applying.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/apply.h"
#include "kube/api/managed_fields.h"
#include "kube/api/schema_build.h"
#include "kube/api/typed_text.h"

namespace millwright::kube::testing_kind {

inline const Schema& Thing() {
  static const Schema kItem = Requiring(ObjectSchema({{"name", StringSchema()},
                                                      {"size", IntegerSchema()},
                                                      {"tags", SetSchema(StringSchema())}}),
                                        {"name"});
  static const Schema kThing = ObjectSchema(
      {{"spec",
        ObjectSchema({{"replicas", IntegerSchema()},
                      {"paused", BooleanSchema()},
                      {"labels", MapSchema(StringSchema())},
                      {"set", SetSchema(StringSchema())},
                      {"items", ListMapSchema(kItem, {"name"})},
                      {"list", ListSchema(IntegerSchema())},
                      {"whole", Atomic(MapSchema(StringSchema()))},
                      {"template", ObjectSchema({{"a", StringSchema()}, {"b", StringSchema()}})},
                      {"free", OpaqueSchema()}})},
       {"status", ObjectSchema({{"ready", BooleanSchema()}})}});
  return kThing;
}

inline boost::json::value Object(std::string_view spec) {
  boost::json::value object =
      boost::json::parse(R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"a"}})");
  object.as_object()["spec"] = boost::json::parse(spec);
  return object;
}

// One object and those who write it, a second after each other.
class History {
 public:
  explicit History(OwnershipRules rules = MainRules(&Thing(), true)) : rules_(std::move(rules)) {}

  Result<void> Apply(const std::string& manager, std::string_view spec, Force force = Force::kNo) {
    return ApplyObject(manager, Object(spec), force);
  }

  Result<void> ApplyObject(const std::string& manager, const boost::json::value& configuration,
                           Force force = Force::kNo) {
    TRY(object_, kube::Apply(rules_, live(), configuration, Writer(manager), force));
    return Ok();
  }

  Result<void> Update(const std::string& manager, std::string_view spec) {
    return UpdateObject(manager, Object(spec));
  }

  Result<void> UpdateObject(const std::string& manager, boost::json::value object) {
    CHECK_OK(UpdateManagedFields(rules_, live(), object, Writer(manager)));
    object_ = std::move(object);
    return Ok();
  }

  const boost::json::value* live() const { return object_ ? &*object_ : nullptr; }
  std::string spec() const { return JsonText(object_->at("spec")); }

  // The owned fields of a writer; "" if it owns nothing.
  std::string Applied(const std::string& manager) const {
    return Owned(ManagerId::Applier(manager, ""));
  }
  std::string Updated(const std::string& manager) const {
    return Owned(ManagerId::Updater(manager, "v1", ""));
  }
  std::optional<WallTime> TimeOf(const ManagerId& id) const {
    const auto managed = Managed();
    const auto found = managed.find(id);
    return found == managed.end() ? std::nullopt : found->second.time;
  }

  ManagedFields Managed() const {
    const auto* entries = FindManagedFields(*object_);
    return entries == nullptr ? ManagedFields() : *DecodeManagedFields(*entries);
  }

  WallTime now() const { return now_; }

 private:
  FieldWriter Writer(const std::string& manager) {
    now_ += std::chrono::seconds(1);
    return {.manager = manager, .api_version = "v1", .subresource = "", .time = now_};
  }

  std::string Owned(const ManagerId& id) const {
    const auto managed = Managed();
    const auto found = managed.find(id);
    return found == managed.end() ? "" : boost::json::serialize(found->second.fields.ToJson());
  }

  OwnershipRules rules_;
  std::optional<boost::json::value> object_;
  WallTime now_{std::chrono::seconds(1'700'000'000)};
};

}  // namespace millwright::kube::testing_kind
