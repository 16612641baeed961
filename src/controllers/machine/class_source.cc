#include "controllers/machine/class_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/shared/secret_data.h"

namespace millwright::controllers {

using dialects::ClassRecord;

namespace {

const kube::GroupVersionResource kSecrets{"", "v1", "secrets"};

}  // namespace

const ClassRecord* ClassSource::Find(const std::string& class_name) const {
  return caches_.classes.store().Find({surroundings_.settings.namespace_, class_name});
}

core::ClassState ClassSource::StateOf(const std::string& class_name) const {
  const ClassRecord* found = Find(class_name);
  if (found == nullptr) return core::ClassState::kMissing;
  if (!found->problem.empty()) return core::ClassState::kInvalid;
  const std::string& ours = surroundings_.dialect.names().finalizer;
  const bool is_protected = std::ranges::find(found->finalizers, ours) != found->finalizers.end();
  return is_protected ? core::ClassState::kReady : core::ClassState::kUnprotected;
}

std::string ClassSource::ProblemOf(const std::string& class_name) const {
  const std::string& kind = surroundings_.dialect.kinds().machine_class.kind.kind;
  const ClassRecord* found = Find(class_name);
  if (found == nullptr) return fmt::format("{} \"{}\" not found", kind, class_name);
  if (found->problem.empty()) return {};
  return fmt::format("{} \"{}\": {}", kind, class_name, found->problem);
}

Task<Result<ResolvedClass>> ClassSource::Resolve(std::string class_name) {
  return Resolve(std::move(class_name), true);
}

Task<Result<ResolvedClass>> ClassSource::ResolveToRemove(std::string class_name) {
  return Resolve(std::move(class_name), false);
}

Task<Result<ResolvedClass>> ClassSource::Resolve(std::string class_name, bool needs_secrets) {
  const ClassRecord* found = Find(class_name);
  if (found == nullptr) co_return Fail(ErrorKind::kNotFound, ProblemOf(class_name));
  CO_TRY(providers::Cloud * cloud, clouds_.Find(found->provider));
  providers::InstanceClass instance_class{
      .name = class_name, .provider_spec = std::string(found->provider_spec.view())};
  const std::vector<kube::ObjectKey> secrets = found->secrets;
  for (const kube::ObjectKey& key : secrets) {
    CO_TRY(const auto secret, co_await surroundings_.control.Find(kSecrets, key));
    if (!secret && !needs_secrets) continue;
    if (!secret) {
      co_return Fail(ErrorKind::kInvalid,
                     fmt::format("Secret \"{}\" of class \"{}\" not found", key.name, class_name));
    }
    CO_TRY(auto data, SecretData(*secret));
    for (auto& [name, value] : data)
      instance_class.secrets.insert_or_assign(name, std::move(value));
  }
  ResolvedClass resolved{.cloud = cloud};
  const auto user_data = instance_class.secrets.find("userData");
  if (user_data != instance_class.secrets.end()) {
    resolved.user_data = user_data->second;
    instance_class.secrets.erase(user_data);
  }
  resolved.instance_class =
      std::make_shared<const providers::InstanceClass>(std::move(instance_class));
  co_return resolved;
}

}  // namespace millwright::controllers
